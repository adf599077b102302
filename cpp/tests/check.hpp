// A test framework of a hundred lines, so that nothing is fetched at build time.
//
//     TEST("a reservation is released by its agent") {
//         REQUIRE(table.size() > 2);   // stops this test when it fails
//         CHECK(table.is_free(3));     // goes on
//         CHECK_EQ(table.holder(3), -1);
//         CHECK_THROWS(table.reserve(-1), std::invalid_argument);
//     }
//
// A TEST registers itself; main.cpp runs them all, or those whose name contains an argument.
#pragma once

#include <concepts>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace check {

struct Test {
    std::string_view name;
    void (*body)();
};

inline std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

inline int& failures_in_this_test() {
    static int count = 0;
    return count;
}

struct Registration {
    Registration(std::string_view name, void (*body)()) { tests().push_back({name, body}); }
};

struct Stop {};  // thrown by REQUIRE

inline bool fail(std::string_view file, int line, const std::string& what) {
    std::cerr << file << ':' << line << ": " << what << '\n';
    ++failures_in_this_test();
    return false;
}

template <class T>
std::string shown(const T& value) {
    if constexpr (requires(std::ostream& out) { out << value; }) {
        std::ostringstream out;
        out << std::boolalpha << value;
        return out.str();
    } else if constexpr (requires { value.begin(); }) {
        std::string text = "{";
        for (const auto& item : value) text += (text.size() > 1 ? ", " : "") + shown(item);
        return text + "}";
    } else {
        return "(a value that does not print)";
    }
}

template <class T>
concept Number = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

template <class A, class B>
bool equal(const A& a, const B& b) {
    if constexpr (Number<A> && Number<B>) {
        return std::cmp_equal(a, b);  // by value, whatever the signs of the types
    } else {
        return a == b;
    }
}

template <class A, class B>
bool check_equal(std::string_view file, int line, const char* text, const A& a, const B& b) {
    return equal(a, b) || fail(file, line, std::string(text) + ": " + shown(a) + " != " + shown(b));
}

inline bool passes(const Test& test) {
    failures_in_this_test() = 0;
    try {
        test.body();
    } catch (const Stop&) {
        // REQUIRE has said what failed.
    } catch (const std::exception& error) {
        fail(test.name, 0, std::string("threw ") + error.what());
    }
    if (failures_in_this_test() > 0) std::cerr << "FAILED: " << test.name << "\n\n";
    return failures_in_this_test() == 0;
}

inline int run(std::string_view wanted) {
    int passed = 0;
    int failed = 0;
    for (const Test& test : tests()) {
        if (test.name.find(wanted) == std::string_view::npos) continue;
        ++(passes(test) ? passed : failed);
    }
    std::cout << passed << " passed, " << failed << " failed\n";
    return failed == 0 && passed > 0 ? 0 : 1;
}

}  // namespace check

#define CHECK_JOIN_(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN_(a, b)

#define TEST(name)                                                             \
    static void CHECK_JOIN(test_body_, __LINE__)();                            \
    static const check::Registration CHECK_JOIN(test_registration_, __LINE__){ \
        name, CHECK_JOIN(test_body_, __LINE__)};                               \
    static void CHECK_JOIN(test_body_, __LINE__)()

#define CHECK(...)                                                                      \
    do {                                                                                \
        if (!(__VA_ARGS__)) check::fail(__FILE__, __LINE__, "CHECK(" #__VA_ARGS__ ")"); \
    } while (false)

#define CHECK_EQ(a, b) check::check_equal(__FILE__, __LINE__, "CHECK_EQ(" #a ", " #b ")", a, b)

#define REQUIRE(...)                                                      \
    do {                                                                  \
        if (!(__VA_ARGS__)) {                                             \
            check::fail(__FILE__, __LINE__, "REQUIRE(" #__VA_ARGS__ ")"); \
            throw check::Stop();                                          \
        }                                                                 \
    } while (false)

#define CHECK_THROWS(expression, Exception)                                                      \
    do {                                                                                         \
        bool thrown = false;                                                                     \
        try {                                                                                    \
            static_cast<void>(expression);                                                       \
        } catch (const Exception&) {                                                             \
            thrown = true;                                                                       \
        }                                                                                        \
        if (!thrown) check::fail(__FILE__, __LINE__, #expression " does not throw " #Exception); \
    } while (false)
