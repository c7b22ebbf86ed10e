#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "base/radix_sort.h"

namespace winnow {
namespace {

struct Item {
  std::uint64_t key;
  int number;
};

// Lists of keys with few and with many bits, with and without equal keys. Some keys differ in high digits
// only.
TEST(RadixSort, EveryItemByRisingKey) {
  std::vector<Item> spare;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    const std::size_t count = seed < 4 ? seed : random() % 3000;
    const int bits = 1 + static_cast<int>(random() % 64), shift = static_cast<int>(random() % 64);
    std::vector<Item> items;
    for (std::size_t i = 0; i < count; ++i)
      items.push_back({(random() >> (64 - bits)) << shift | (seed & 1), static_cast<int>(i)});
    std::vector<Item> wanted = items;
    radix_sort(items, spare, [](const Item& item) { return item.key; });
    ASSERT_EQ(items.size(), wanted.size());
    EXPECT_TRUE(std::is_sorted(items.begin(), items.end(),
                               [](const Item& a, const Item& b) { return a.key < b.key; }));
    // Each item occurs once, with its own key.
    std::vector<bool> seen(count);
    for (const Item& item : items) {
      EXPECT_EQ(item.key, wanted[static_cast<std::size_t>(item.number)].key);
      EXPECT_FALSE(seen[static_cast<std::size_t>(item.number)]);
      seen[static_cast<std::size_t>(item.number)] = true;
    }
  }
}

}  // namespace
}  // namespace winnow
