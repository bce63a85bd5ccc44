/** All tokens that SQL of this package can contain. */
const KNOWN_TOKENS = new RegExp(
  [
    String.raw`\s+`,
    String.raw`\$\d+`,
    // Physical names.
    String.raw`live\.d_7\b|_id\b|[cfogm]\d+\b|k\b|count\b|grouped\b|matching\b|unfolded\b|element\b`,
    // Ordinals of GROUP BY, and one of a subquery.
    String.raw`\d+\b`,
    String.raw`(?:SELECT|FROM|WHERE|AND|OR|IS|NOT|NULL|TRUE|LIKE|ANY|ORDER BY|GROUP BY|DESC|NULLS LAST|LIMIT|AS|COLLATE)\b`,
    String.raw`(?:CASE|WHEN|THEN|END|CROSS JOIN LATERAL|DISTINCT|AT TIME ZONE)\b|true\b`,
    String.raw`(?:text|bigint|double precision|boolean|timestamptz|inet|uuid|jsonb|numeric|interval)\b`,
    String.raw`(?:jsonb_typeof|jsonb_array_elements|nullif|abbrev|to_char|regexp_replace|date_bin|date_trunc|mod|min|max|sum|avg)\b`,
    String.raw`'(?:null|\{\}|string|number|array|UTC|Z|000Z\$|month|quarter|year|0001-01-01T00:00:00Z)'`,
    String.raw`'YYYY-MM-DD"T"HH24:MI:SS\.US"Z"'|"C"`,
    String.raw`\(\*\)|::|#>>|#>|@>|<<=|<=|>=|=|<|>|~|\|\||[()[\],.+-]`,
  ].join('|'),
  'y',
);

/** Returns the beginning of the first unknown token, or undefined. */
export function findUnknownSql(sql: string): string | undefined {
  for (let at = 0; at < sql.length; at = KNOWN_TOKENS.lastIndex) {
    KNOWN_TOKENS.lastIndex = at;
    if (!KNOWN_TOKENS.test(sql)) return sql.slice(at, at + 40);
  }
  return undefined;
}
