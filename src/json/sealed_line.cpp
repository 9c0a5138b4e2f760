#include "parsimap/json/sealed_line.hpp"

#include <boost/crc.hpp>

#include <cstdint>
#include <string_view>

namespace parsimap {
namespace {

constexpr std::string_view kBefore = ",\"checksum\":\"";
constexpr std::string_view kAfter = "\"}\n";
constexpr std::size_t kDigits = 8;
constexpr std::size_t kTail = kBefore.size() + kDigits + kAfter.size();

std::string checksum(const std::string& previous, std::string_view text) {
  boost::crc_32_type crc;
  crc.process_bytes(previous.data(), previous.size());
  crc.process_bytes(text.data(), text.size());
  std::string digits(kDigits, '0');
  std::uint32_t rest = crc.checksum();
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, rest >>= 4U) {
    *digit = "0123456789abcdef"[rest & 0xFU];
  }
  return digits;
}

}  // namespace

std::string sealed_line(const std::string& object, std::string& previous) {
  const std::string text = object.substr(0, object.size() - 1);
  previous = checksum(previous, text);
  return text + std::string(kBefore) + previous + std::string(kAfter);
}

std::optional<std::string> opened_line(const std::string& line, std::string& previous) {
  if (line.size() < kTail) {
    return std::nullopt;
  }
  const std::string text = line.substr(0, line.size() - kTail);
  std::string chain = previous;
  if (sealed_line(text + "}", chain) != line) {
    return std::nullopt;
  }
  previous = chain;
  return text + "}";
}

}  // namespace parsimap
