#include "parsimap/report/command_page.hpp"

#include <doctest/doctest.h>

#include <regex>

using namespace parsimap;

namespace {

bool has(const std::string& page, const std::string& part) { return page.find(part) != std::string::npos; }

CommandPage small_page() {
  PagePicture picture{"picture", "Map", "One of two.", "data:image/png;base64,AAAA", 100, 40, {}};
  picture.legend = {{"maple <b>", {255, 0, 16}, "50.0 %"}};
  PageTable table{"Pixels", {"class", "pixels"}, {{"maple", "7"}}, 1};
  return {"A & B", "What <it> is.", {{"first", "First", {"A paragraph."}, {picture}, {table}, {"areas"}}}};
}

}  // namespace

TEST_CASE("sections have paragraphs, pictures with legends, tables and places for figures") {
  const std::string page = command_html(small_page(), "{}");
  CHECK(has(page, "<h1>A &amp; B</h1>"));
  CHECK(has(page, "What &lt;it&gt; is."));
  CHECK(has(page, "<section id=\"first\">\n<h2>First</h2>\n<p>A paragraph.</p>"));
  CHECK(has(page, R"(<img src="data:image/png;base64,AAAA" width="400" alt="Map">)"));
  CHECK(has(page, R"(<li><span style="background: #ff0010"></span>maple &lt;b&gt;<small>50.0 %</small></li>)"));
  CHECK(has(page, R"(<thead><tr><th>class</th><th class="number">pixels</th></tr></thead>)"));
  CHECK(has(page, R"(<tr><td>maple</td><td class="number">7</td></tr>)"));
  CHECK(has(page, R"(<div data-figure="areas"></div>)"));
}

TEST_CASE("no text of the data becomes markup, and the page names no file to load") {
  const std::string page = command_html(small_page(), R"({"name": "</script><!--"})");
  CHECK(has(page, R"({"name": "\u003c/script>\u003c!--"}</script>)"));
  CHECK(has(page, "require(\"command\");"));
  const std::string markup = page.substr(0, page.find("<script>"));
  CHECK(!std::regex_search(markup, std::regex(R"re(src="(?!data:)|href=|@import|url\()re")));
}

TEST_CASE("tables of options and stages") {
  const PageTable options = option_table("Options", {{"kernel", "hdda"}, {"seed", "0"}});
  CHECK(options.rows == std::vector<std::vector<std::string>>{{"kernel", "hdda"}, {"seed", "0"}});
  const PageTable stages = stage_table(2, {{"read", 0.5}}, std::int64_t{64} << 20U);
  CHECK(stages.rows ==
        std::vector<std::vector<std::string>>{{"read", "0.50 s"}, {"all", "2.00 s"}, {"peak memory", "64 MB"}});
  CHECK(stage_table(2, {}, std::nullopt).rows.size() == 1);
}
