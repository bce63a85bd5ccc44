/** A number as it was written (ECMAScript 2026, JSON.parse source text access). */
export interface RawJson {
  rawJSON: string;
}

/** TypeScript's own library does not know these yet. */
const json = JSON as typeof JSON & {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
};

/** What `JSON.stringify` writes as it stands. */
export const rawJson = (text: string): RawJson => json.rawJSON(text);
export const isRawJson = (value: unknown): value is RawJson => json.isRawJSON(value);
