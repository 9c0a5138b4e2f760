// Lines of JSON that tell whether they are whole: each ends in a member "checksum", the CRC-32 (ISO-HDLC, as in zlib)
// of the checksum of the line before and of its own text up to that member, as eight hexadecimal digits. A line that
// was altered does not fit its checksum, and one that was lost, repeated or moved does not fit that of the line before.
#pragma once

#include <optional>
#include <string>

namespace parsimap {

// The line of an object, which is JSON text without an end of line. `previous` is the checksum of the line before,
// empty for the first one, and becomes that of this line.
std::string sealed_line(const std::string& object, std::string& previous);

// The object of such a line, which ends in an end of line; nothing where the line is damaged, and `previous` stays.
std::optional<std::string> opened_line(const std::string& line, std::string& previous);

}  // namespace parsimap
