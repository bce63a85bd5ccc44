/** Collects the values of a statement; what stands in its text for each is `$1`, `$2` and so on. */
export class Binder {
  readonly values: string[] = [];

  constructor(private readonly first = 1) {}

  /** Binds a value; gives what stands for it. */
  bind(value: string): string {
    this.values.push(value);
    return `$${this.first + this.values.length - 1}`;
  }

  /** Binds a list as the text of a Postgres array, to be cast to one. */
  bindList(values: readonly string[]): string {
    return this.bind(`{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`);
  }
}
