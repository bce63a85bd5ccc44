/** Collects the values of a statement. Its text has the placeholders `$1`, `$2`, … for them. */
export class Binder {
  readonly values: string[] = [];

  constructor(private readonly first = 1) {}

  /** Binds a value and returns its placeholder. */
  bind(value: string): string {
    this.values.push(value);
    return `$${this.first + this.values.length - 1}`;
  }

  /** Binds a list as the text of a Postgres array. The SQL must cast the placeholder to an array. */
  bindList(values: readonly string[]): string {
    return this.bind(`{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`);
  }
}
