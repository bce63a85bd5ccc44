/** A number in the form of its source text (ECMAScript 2026, JSON.parse source text access). */
export interface RawJson {
  rawJSON: string;
}

/** TypeScript's standard library does not declare these functions yet. */
const json = JSON as typeof JSON & {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
};

/** A value that `JSON.stringify` writes unmodified. */
export const rawJson = (text: string): RawJson => json.rawJSON(text);
export const isRawJson = (value: unknown): value is RawJson => json.isRawJSON(value);
