// The types of the standard library that stand in the interfaces of every folder. Each header of this project brings
// them, so that no other file includes their headers by name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
