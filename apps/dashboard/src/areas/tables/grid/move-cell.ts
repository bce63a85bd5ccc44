/** A cell by its row and its column. Row -1 is the header; column 0 is the number of the row. */
export interface CellPosition {
  row: number;
  column: number;
}

interface GridSize {
  rows: number;
  /** Without the column of row numbers. */
  columns: number;
  /** Rows that fit into the window. */
  page: number;
}

const MOVES: Record<string, (at: CellPosition, size: GridSize, isFar: boolean) => CellPosition> = {
  ArrowUp: ({ row, column }, _size, isFar) => ({ row: isFar ? 0 : row - 1, column }),
  ArrowDown: ({ row, column }, { rows }, isFar) => ({ row: isFar ? rows - 1 : row + 1, column }),
  ArrowLeft: ({ row, column }, _size, isFar) => ({ row, column: isFar ? 0 : column - 1 }),
  ArrowRight: ({ row, column }, { columns }, isFar) => ({ row, column: isFar ? columns : column + 1 }),
  PageUp: ({ row, column }, { page }) => ({ row: Math.max(0, row - page), column }),
  PageDown: ({ row, column }, { page }) => ({ row: row + page, column }),
  Home: ({ row }, _size, isFar) => ({ row: isFar ? 0 : row, column: 0 }),
  End: ({ row }, { rows, columns }, isFar) => ({ row: isFar ? rows - 1 : row, column: columns }),
};

/** Where a key moves the active cell, by the grid pattern of the ARIA guide. Undefined if it does not move. */
export function moveCell(at: CellPosition, key: string, isFar: boolean, size: GridSize): CellPosition | undefined {
  const move = MOVES[key];
  if (!move) return undefined;
  const { row, column } = move(at, size, isFar);
  return { row: clamp(row, -1, size.rows - 1), column: clamp(column, 0, size.columns) };
}

const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(max, value));
