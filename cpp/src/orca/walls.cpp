#include "sidestep/orca/walls.hpp"

#include <algorithm>

namespace sidestep::orca {

namespace {

std::int64_t nearest_cell(double x) { return floor_of(x + 0.5); }

}  // namespace

Walls::Walls(std::span<const std::uint8_t> passable, std::int32_t width)
    : height_(static_cast<std::int32_t>(passable.size() / static_cast<std::size_t>(width))),
      width_(width),
      passable_(passable.begin(), passable.end()),
      sides_(passable.size() * 4, -1) {
    for (std::int32_t row = 0; row < height_; ++row)
        for (std::int32_t col = 0; col < width_; ++col)
            if (is_open(row, col))
                for (const Side side : {up, down, left, right}) add_side(row, col, side);
}

// A wall beside an open cell begins a surface, or makes the one before it longer.
void Walls::add_side(std::int32_t row, std::int32_t col, Side side) {
    const bool upright = side == left || side == right;
    const std::int32_t ahead = side == up || side == left ? -1 : 1;
    const Vec outward = upright ? Vec{0, -1.0 * ahead} : Vec{-1.0 * ahead, 0};
    if (upright ? is_open(row, col + ahead) : is_open(row + ahead, col)) return;

    const std::int32_t before_row = upright ? row - 1 : row, before_col = upright ? col : col - 1;
    const Vec middle = Vec{1.0 * row, 1.0 * col} - outward * 0.5;
    const Vec half = upright ? Vec{0.5, 0} : Vec{0, 0.5};
    const std::int32_t before =
        is_open(before_row, before_col) ? surface_at(before_row, before_col, side) : -1;
    if (before >= 0) {
        surfaces_[static_cast<std::size_t>(before)].to = middle + half;
        surface_at(row, col, side) = before;
    } else {
        surface_at(row, col, side) = static_cast<std::int32_t>(surfaces_.size());
        surfaces_.push_back({middle - half, middle + half, outward});
    }
}

Vertex Walls::cell(Vec place) const {
    const std::int64_t row = nearest_cell(place.row), col = nearest_cell(place.col);
    if (row < 0 || row >= height_ || col < 0 || col >= width_) return kNowhere;
    return static_cast<Vertex>(row * width_ + col);
}

// A surface is convex, so a disc that stays on its side of the line through the nearest point,
// square to the way there, never touches it. Only surfaces that face the agent can be touched
// first.
void Walls::half_planes(Vec place, double radius, double max_speed, double horizon,
                        std::vector<HalfPlane>& planes) {
    const double reach = radius + max_speed * horizon;
    const auto clamped = [](double x, std::int32_t most) {
        return std::clamp<std::int64_t>(nearest_cell(x), 0, most - 1);
    };
    const std::int64_t last_row = clamped(place.row + reach, height_);
    const std::int64_t last_col = clamped(place.col + reach, width_);
    near_.clear();
    for (std::int64_t row = clamped(place.row - reach, height_); row <= last_row; ++row)
        for (std::int64_t col = clamped(place.col - reach, width_); col <= last_col; ++col)
            for (const Side side : {up, down, left, right}) {
                const std::int32_t surface = surface_at(row, col, side);
                if (surface >= 0 && std::find(near_.begin(), near_.end(), surface) == near_.end())
                    near_.push_back(surface);
            }
    for (const std::int32_t index : near_) {
        const Surface& surface = surfaces_[static_cast<std::size_t>(index)];
        if (dot(surface.outward, place - surface.from) <= 0) continue;
        const Vec nearest{std::clamp(place.row, surface.from.row, surface.to.row),
                          std::clamp(place.col, surface.from.col, surface.to.col)};
        const Vec away = place - nearest;
        const double distance = length(away), gap = std::max(0.0, distance - radius);
        if (gap < max_speed * horizon) planes.push_back({away / distance, -gap / horizon});
    }
}

// From cell to cell, always over the side of the present one that the line crosses first. Between
// two places in the grid there is nothing outside of it.
bool Walls::sees(Vec from, Vec to) const {
    const std::int64_t row = nearest_cell(from.row), col = nearest_cell(from.col);
    const std::int64_t last_row = nearest_cell(to.row), last_col = nearest_cell(to.col);
    if (!is_open(row, col) || !is_open(last_row, last_col)) return false;
    const Vec way = to - from;
    const bool down = way.row > 0, right = way.col > 0;
    std::int64_t rows = std::abs(last_row - row), cols = std::abs(last_col - col);
    // When, on a way that takes time 1, the next row or column begins, and how often that happens.
    const double each_row = 1 / std::abs(way.row), each_col = 1 / std::abs(way.col);
    const double past_row = from.row - static_cast<double>(row);
    const double past_col = from.col - static_cast<double>(col);
    double next_row = (0.5 - (down ? past_row : -past_row)) * each_row;
    double next_col = (0.5 - (right ? past_col : -past_col)) * each_col;
    for (std::int64_t here = row * width_ + col; rows > 0 || cols > 0;) {
        if (cols == 0 || (rows > 0 && next_row < next_col)) {
            here += down ? width_ : -width_;
            --rows;
            next_row += each_row;
        } else {
            here += right ? 1 : -1;
            --cols;
            next_col += each_col;
        }
        if (!passable_[static_cast<std::size_t>(here)]) return false;
    }
    return true;
}

// The edges of the strip that it sweeps see whatever is in it: a cell is wider than the strip.
bool Walls::passes(Vec from, Vec to, double radius) const {
    constexpr double slack = 1e-6;  // an agent that slides along a wall touches it
    const Vec way = to - from;
    const double distance = length(way);
    if (distance == 0) return true;
    const Vec beside = to_the_right(way) * ((radius - slack) / distance);
    return sees(from + beside, to + beside) && sees(from - beside, to - beside);
}

bool Walls::fits(Vec place, double radius) const {
    const std::int64_t row = nearest_cell(place.row), col = nearest_cell(place.col);
    for (std::int64_t r = row - 1; r <= row + 1; ++r)
        for (std::int64_t c = col - 1; c <= col + 1; ++c) {
            if (is_open(r, c)) continue;
            const Vec middle{static_cast<double>(r), static_cast<double>(c)};
            const Vec nearest{std::clamp(place.row, middle.row - 0.5, middle.row + 0.5),
                              std::clamp(place.col, middle.col - 0.5, middle.col + 0.5)};
            const Vec away = place - nearest;
            if (dot(away, away) < radius * radius) return false;
        }
    return true;
}

}  // namespace sidestep::orca
