"""The layout of simulated scenes of fields, lines and small objects."""

import random

SIDE = 320
SIZES = ["areas", "1 pixel", "diagonal", "2 pixels", "2 x 2", "2 x 3", "3 x 3"]


class Layout:
    """Class codes and sizes (positions in SIZES) of all pixels."""

    side = SIDE

    def __init__(self, seed: int = 3) -> None:
        draw = random.Random(seed)
        sites = [(draw.uniform(0, SIDE), draw.uniform(0, SIDE), i % 5 + 1) for i in range(60)]
        self.codes = [
            min(sites, key=lambda site: (site[0] - row) ** 2 + (site[1] - column) ** 2)[2]
            for row in range(SIDE)
            for column in range(SIDE)
        ]
        self.sizes = [0] * SIDE * SIDE
        self.taken = [False] * SIDE * SIDE
        for code, row, column in ((6, 20, 20), (6, 280, 40), (6, 150, 290), (7, 30, 280), (7, 290, 280), (7, 160, 30)):
            self.put(code, 0, ((y, x) for y in range(row - 10, row + 10) for x in range(column - 10, column + 10)))
        self.lines()
        for size, height, width in ((4, 2, 2), (5, 2, 3), (6, 3, 3)):
            for number in range(90):
                self.object(draw, number, size, height, width)

    def put(self, code: int, size: int, pixels) -> None:
        for row, column in pixels:
            if 0 <= row < SIDE and 0 <= column < SIDE:
                i = row * SIDE + column
                self.codes[i], self.sizes[i], self.taken[i] = code, size, True

    def lines(self) -> None:
        for column in (60, 140, 220):
            self.put(6, 1, ((row, column) for row in range(SIDE)))
        for row in (90, 230):
            self.put(6, 1, ((row, column) for column in range(SIDE)))
        for row in (50, 190):
            self.put(6, 3, ((row + i, column) for i in (0, 1) for column in range(SIDE)))
        for column in (100, 260):
            self.put(6, 3, ((row, column + i) for i in (0, 1) for row in range(SIDE)))
        for offset in (-120, 60):
            self.put(6, 2, ((row, row + offset) for row in range(SIDE)))

    def object(self, draw: random.Random, number: int, size: int, height: int, width: int) -> None:
        """At a place with at least three pixels of a field around."""
        while True:
            row, column = draw.randrange(5, SIDE - 8), draw.randrange(5, SIDE - 8)
            around = [(y, x) for y in range(row - 3, row + height + 3) for x in range(column - 3, column + width + 3)]
            if not any(self.taken[y * SIDE + x] for y, x in around):
                break
        field = self.codes[row * SIDE + column]
        code = 7 if number % 2 == 0 else field % 5 + 1
        self.put(code, size, ((y, x) for y in range(row, row + height) for x in range(column, column + width)))
