/**
 * A timestamp as RFC 3339 in UTC, with as many digits of the second as it has. Requires the `DateStyle` ISO. `to_char` takes
 * four times as long.
 */
export const timestampSql = (sql: string): string => `replace((${sql} AT TIME ZONE 'UTC')::text, ' ', 'T') || 'Z'`;
