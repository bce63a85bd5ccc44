/** A row of a load; a missing column has no value. */
export type ModelRow = Record<string, string | number | boolean>;

/** What the last load of an output brought. */
interface ModelPart {
  columns: ReadonlySet<string>;
  rows: ModelRow[];
}

const COLUMNS = ['k', 'n', 't'];
const OUTPUTS = ['a-1', 'b-1'];

/** Text of a row's values, without types, because a column may have become text. */
export const textOf = (row: ModelRow, columns: readonly string[]): string =>
  JSON.stringify(columns.map((column) => (column in row ? String(row[column]) : null)));

/** What runs have loaded into a table, as plain lists. */
export class ModelRuns {
  private readonly runs = new Map<string, Map<string, ModelPart>>();

  constructor(private readonly hasKey: boolean) {}

  get ids(): string[] {
    return [...this.runs.keys()];
  }

  /** A load replaces the former one of the output. */
  load(run: string, output: string, rows: readonly ModelRow[]): void {
    const parts = this.runs.get(run) ?? new Map<string, ModelPart>();
    const byKey = new Map(rows.map((row, at) => [this.hasKey ? row['k'] : at, row]));
    const columns = new Set([...(this.hasKey ? ['k'] : []), ...rows.flatMap((row) => Object.keys(row))]);
    parts.set(output, { columns, rows: [...byKey.values()] });
    this.runs.set(run, parts);
  }

  /** Deleted rows cannot be compared in any run. */
  delete(isDeleted: (row: ModelRow) => boolean): void {
    for (const part of [...this.runs.values()].flatMap((parts) => [...parts.values()])) {
      part.rows = part.rows.filter((row) => !isDeleted(row));
    }
  }

  compare(a: string, b: string) {
    return this.hasKey ? this.compareByKey(a, b) : this.compareByValues(a, b);
  }

  private compareByKey(a: string, b: string) {
    const [inA, inB] = [this.rowsByKey(a), this.rowsByKey(b)];
    const changed = [...inA].flatMap(([key, one]) => {
      const other = inB.get(key);
      const columns = COLUMNS.filter((column) => one.columns.has(column) && other?.columns.has(column));
      const differing = columns.filter((column) => other && textOf(one.row, [column]) !== textOf(other.row, [column]));
      if (!other || differing.length === 0) return [];
      return [`${key}: ${textOf(one.row, differing)} → ${textOf(other.row, differing)}`];
    });
    const missing = (from: typeof inA, to: typeof inA) => [...from].filter(([key]) => !to.has(key));
    const toText = ([key, { row }]: [string, { row: ModelRow }]) => `${key}: ${textOf(row, COLUMNS)}`;
    const [added, gone] = [missing(inB, inA), missing(inA, inB)];
    const same = inA.size - gone.length - changed.length;
    return { same, new: added.map(toText).sort(), changed: changed.sort(), gone: gone.map(toText).sort() };
  }

  /** Of rows with the same key, the one of the output that was bound last counts. */
  private rowsByKey(run: string): Map<string, { row: ModelRow; columns: ReadonlySet<string> }> {
    const parts = OUTPUTS.flatMap((output) => this.runs.get(run)?.get(output) ?? []);
    return new Map(parts.flatMap(({ rows, columns }) => rows.map((row) => [String(row['k']), { row, columns }])));
  }

  private compareByValues(a: string, b: string) {
    const [inA, inB] = [a, b].map((run) => [...(this.runs.get(run)?.values() ?? [])]);
    const common = COLUMNS.filter((column) =>
      [inA, inB].every((parts) => parts?.some(({ columns }) => columns.has(column))),
    );
    const count = (parts: ModelPart[] = []) =>
      Map.groupBy(
        parts.flatMap(({ rows }) => rows),
        (row) => textOf(row, common),
      );
    const [copiesInA, copiesInB] = [count(inA), count(inB)];
    const rest = (own: typeof copiesInA, other: typeof copiesInA) =>
      [...own].flatMap(([text, rows]) => rows.slice(other.get(text)?.length ?? 0).map(() => text)).sort();
    const [added, gone] = [rest(copiesInB, copiesInA), rest(copiesInA, copiesInB)];
    const total = [...copiesInA.values()].flat().length;
    return { same: total - gone.length, new: added, changed: [] as string[], gone, common };
  }
}
