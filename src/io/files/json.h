#pragma once
// JSON as the program writes it: keys in the order in which they were set. The library's classes are compiled
// once, in json.cpp: left to each file that prints JSON they take seconds of every compilation.

#include <nlohmann/json.hpp>

extern template class nlohmann::basic_json<>;
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
