#include "json_fields.hpp"

#include <boost/endian/conversion.hpp>

#include <algorithm>
#include <deque>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

template <typename Value>
Json array_of(Index rows, Index columns, const Value& value) {
  using Element = decltype(value(Index{0}, Index{0}));
  // Arrays of model files are byte strings in row-major order, little-endian, beside their shape (docs/formats.md): a
  // value takes 8 bytes instead of 9 as a CBOR number, and is read without parsing.
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(rows * columns) * sizeof(Element));
  std::uint8_t* target = bytes.data();
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c, target += sizeof(Element)) {
      boost::endian::endian_store<Element, sizeof(Element), boost::endian::order::little>(target, value(r, c));
    }
  }
  return {{"shape", {rows, columns}}, {"data", Json::binary(std::move(bytes))}};
}

class FieldWriter final : public Fields {
 public:
  FieldWriter(Json& document, Form form) : places_{&document}, form_(form) {}

  [[nodiscard]] bool reads() const override { return false; }
  [[nodiscard]] bool has(const std::string& key) const override { return places_.back()->contains(key); }
  [[nodiscard]] bool holds_text() const override { return false; }
  void json(const std::string& key, const std::string& text) override { here()[key] = parse_json(text); }

 protected:
  bool enter(const std::string& key, bool) override {
    // A pointer to a member would not outlive a further member: what is written is put into its place when it is left.
    keys_.push_back(key);
    pending_.emplace_back();
    places_.push_back(&pending_.back());
    return true;
  }
  void enter_item(std::size_t) override { enter({}, false); }
  void leave() override {
    // The finished value goes to the map or list that contains it. In specifications a null is left out: an absent key
    // means the default, and a written specification then has the fields only that are set.
    Json value = std::move(pending_.back());
    pending_.pop_back();
    places_.pop_back();
    if (here().is_array()) {
      here().push_back(std::move(value));
    } else if (form_ != Form::spec || !value.is_null()) {
      here()[keys_.back()] = std::move(value);
    }
    keys_.pop_back();
  }
  void begin_map() override {
    if (here().is_null()) {
      here() = Json::object();
    }
  }
  std::size_t begin_list(std::size_t count, std::optional<std::size_t>) override {
    here() = Json::array();
    return count;
  }
  bool is_set(bool set) override { return set; }  // what nothing is written to is null

  void truth(bool& value) override { here() = value; }
  void integer(std::int64_t& value, std::int64_t) override { here() = value; }
  void unsigned_integer(std::uint64_t& value) override { here() = value; }
  void plain(double& value) override { here() = value; }
  void plain(std::string& value) override { here() = value; }
  void plain(Matrix& value) override { matrix(value); }
  void plain(Vector& value) override { matrix(value); }
  void plain(CountMatrix& value) override { matrix(value); }
  void numbers(std::vector<double>& value) override {
    const Eigen::Map<const Vector> vector(value.data(), static_cast<Index>(value.size()));
    here() = form_ == Form::cbor ? array_document(vector) : Json(value);
  }
  void indices(Indices& value) override { here() = form_ == Form::cbor ? array_document(value) : Json(value); }

 private:
  [[nodiscard]] Json& here() const { return *places_.back(); }

  // A list of rows, each a list of numbers.
  template <typename Numbers>
  void matrix(const Numbers& value) {
    if (form_ == Form::cbor) {
      here() = array_document(value);
      return;
    }
    here() = Json::array();
    for (const auto& row : value.rowwise()) {
      here().push_back(std::vector(row.begin(), row.end()));
    }
  }

  std::vector<Json*> places_;  // of the document, and of each value that is being written
  std::deque<Json> pending_;   // those values, whose places must not move
  std::vector<std::string> keys_;
  Form form_;
};

class FieldReader final : public Fields {
 public:
  FieldReader(const Node& document, Form form, const ReadRules& rules)
      : places_{document}, form_(form), rules_(rules) {}

  [[nodiscard]] bool reads() const override { return true; }
  [[nodiscard]] bool has(const std::string& key) const override { return here().has(key); }
  [[nodiscard]] bool holds_text() const override { return here().json().is_string(); }
  void json(const std::string&, const std::string&) override {}

 protected:
  bool enter(const std::string& key, bool may_be_unset) override {
    // Earlier versions did not write every field that may be unset.
    const bool needed = form_ != Form::spec && !(form_ == Form::cbor && may_be_unset);
    if (!needed && !here().has(key)) {
      return false;
    }
    places_.push_back(here()[key]);
    return true;
  }
  void enter_item(std::size_t i) override {
    places_.emplace_back(here().json()[i], here().path() + "/" + std::to_string(i));
  }
  void leave() override { places_.pop_back(); }
  void begin_map() override { here().require_map(); }
  std::size_t begin_list(std::size_t, std::optional<std::size_t> needed) override {
    // A list of fixed length must have exactly this number of items.
    return (needed ? here().items(*needed) : here().items()).size();
  }
  bool is_set(bool) override { return !here().is_null(); }

  void truth(bool& value) override { value = here().truth(); }
  void integer(std::int64_t& value, std::int64_t largest) override {
    value = here().integer(std::min(largest, rules_.largest_integer));
  }
  void unsigned_integer(std::uint64_t& value) override { value = here().unsigned_integer(); }
  void plain(double& value) override {
    // JSON has no NaN: records write null for it, which is read back as NaN where the reader allows that.
    const bool unknown = form_ == Form::record && !rules_.finite && here().is_null();
    value = unknown ? std::numeric_limits<double>::quiet_NaN() : here().number();
  }
  void plain(std::string& value) override { value = here().text(); }
  void plain(Matrix& value) override {
    if (form_ == Form::cbor) {
      value = here().matrix();
    } else {
      rows(value);
    }
  }
  void plain(Vector& value) override { value = here().vector(); }
  void plain(CountMatrix& value) override {
    if (form_ == Form::cbor) {
      value = here().counts();
    } else {
      rows(value);
    }
  }
  void numbers(std::vector<double>& value) override {
    if (form_ == Form::cbor) {
      const Vector vector = here().vector();
      value.assign(vector.begin(), vector.end());
    } else {
      container(value);
    }
  }
  void indices(Indices& value) override {
    if (form_ == Form::cbor) {
      value = here().indices();
    } else {
      container(value);
    }
  }

 private:
  [[nodiscard]] const Node& here() const { return places_.back(); }

  // A list of rows of equal length.
  template <typename Numbers>
  void rows(Numbers& matrix) {
    const std::vector<Node> lines = here().items();
    // The first row decides the number of columns, and items(columns) refuses rows of another length.
    const std::size_t columns = lines.empty() ? 0 : lines.front().items().size();
    matrix.resize(static_cast<Index>(lines.size()), static_cast<Index>(columns));
    for (std::size_t r = 0; r < lines.size(); ++r) {
      const std::vector<Node> row = lines[r].items(columns);
      for (std::size_t c = 0; c < columns; ++c) {
        places_.push_back(row[c]);
        value(matrix(static_cast<Index>(r), static_cast<Index>(c)));
        leave();
      }
    }
  }

  std::vector<Node> places_;
  Form form_;
  ReadRules rules_;
};

}  // namespace

Json parse_json(const std::string& text) {
  check_json_form(text);
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    // Of "[json.exception.parse_error.101] parse error at line 3, column 5: ..." the user needs what follows the code.
    const std::string reason = error.what();
    throw ConfigError("not valid JSON: " + reason.substr(reason.find("] ") + 2));
  }
}

std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json array_document(const Eigen::Ref<const Matrix>& matrix) {
  return array_of(matrix.rows(), matrix.cols(), [&](Index r, Index c) -> double { return matrix(r, c); });
}

Json array_document(const Eigen::Ref<const CountMatrix>& counts) {
  return array_of(counts.rows(), counts.cols(), [&](Index r, Index c) -> std::int64_t { return counts(r, c); });
}

Json array_document(const Indices& indices) {
  return array_of(static_cast<Index>(indices.size()), 1,
                  [&](Index r, Index) -> std::int64_t { return indices[static_cast<std::size_t>(r)]; });
}

Node Node::operator[](const std::string& key) const {
  require(value_->is_object(), "a map");
  const auto found = value_->find(key);
  if (found == value_->end()) {
    // Places are written as JSON pointers (RFC 6901), from the root of the document.
    throw DataError(path_ + "/" + key + " is missing");
  }
  return Node(*found, path_ + "/" + key);
}

std::vector<Node> Node::items() const {
  require(value_->is_array(), "a list");
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < value_->size(); ++i) {
    nodes.emplace_back((*value_)[i], path_ + "/" + std::to_string(i));
  }
  return nodes;
}

std::vector<Node> Node::items(std::size_t count) const {
  require(value_->is_array() && value_->size() == count, "a list of length " + std::to_string(count));
  return items();
}

std::string Node::text() const {
  require(value_->is_string(), "text");
  return value_->get<std::string>();
}

bool Node::truth() const {
  require(value_->is_boolean(), "true or false");
  return value_->get<bool>();
}

double Node::number() const {
  require(value_->is_number(), "a number");
  return value_->get<double>();
}

std::uint64_t Node::unsigned_integer() const {
  require(value_->is_number_unsigned(), "a whole number that is not negative");
  return value_->get<std::uint64_t>();
}

std::int64_t Node::integer(std::int64_t largest) const {
  // nlohmann stores numbers without a sign as unsigned. The comparison is made before the conversion, which would wrap
  // numbers beyond the range of the signed type.
  const bool fits = value_->is_number_unsigned() && value_->get<std::uint64_t>() <= static_cast<std::uint64_t>(largest);
  require(fits, "a whole number from 0 to " + std::to_string(largest));
  return value_->get<std::int64_t>();
}

void Node::require(bool holds, const std::string& wanted) const {
  if (!holds) {
    throw DataError((path_.empty() ? "the document" : path_) + " must be " + wanted);
  }
}

// The shape is believed only when it is exactly that of the bytes that are there.
template <typename Element>
Eigen::MatrixX<Element> Node::array() const {
  const std::vector<Node> shape = (*this)["shape"].items(2);
  const Index rows = shape[0].integer();
  const Index columns = shape[1].integer();
  const Node data = (*this)["data"];
  data.require(data.value_->is_binary(), "a byte string");
  const auto& bytes = data.value_->get_binary();
  const auto count = static_cast<Index>(bytes.size() / sizeof(Element));
  // The number of elements is divided by the number of rows instead of multiplying rows and columns, whose product
  // could overflow for a damaged shape. An empty shape must have no bytes.
  const bool fits = bytes.size() % sizeof(Element) == 0 &&
                    (rows == 0 || columns == 0 ? count == 0 : count % rows == 0 && count / rows == columns);
  data.require(fits, "as long as its shape " + std::to_string(rows) + " x " + std::to_string(columns) + " asks");
  Eigen::MatrixX<Element> values(rows, columns);
  for (Index i = 0; i < values.size(); ++i) {
    // Row-major bytes; the matrix itself may have any storage order.
    values(i / columns, i % columns) =
        boost::endian::endian_load<Element, sizeof(Element), boost::endian::order::little>(
            bytes.data() + static_cast<Index>(sizeof(Element)) * i);
  }
  return values;
}

Matrix Node::matrix() const { return array<double>(); }

CountMatrix Node::counts() const { return array<std::int64_t>(); }

Vector Node::vector() const {
  const Matrix values = matrix();
  require(values.cols() == 1, "an array of one column");
  return values;
}

Indices Node::indices() const {
  const CountMatrix values = counts();
  require(values.cols() == 1, "an array of one column");
  return {values.data(), values.data() + values.size()};
}

Json written_value(const FieldList& value, Form form) {
  Json document;
  FieldWriter writer(document, form);
  value(writer);
  return document;
}

Json written_fields(const FieldList& list, Form form) {
  Json document = Json::object();
  FieldWriter writer(document, form);
  list(writer);
  return document;
}

void read_value(const Node& node, Form form, const FieldList& value, const ReadRules& rules) {
  FieldReader reader(node, form, rules);
  value(reader);
}

void read_fields(const Node& node, Form form, const FieldList& list, const ReadRules& rules) {
  node.require_map();
  read_value(node, form, list, rules);
}

}  // namespace parsimap
