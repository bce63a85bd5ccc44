/**
 * A moment as RFC 3339 in UTC, with as many digits of its second as it has; for sessions with `DateStyle` ISO. `to_char`
 * takes four times as long.
 */
export const timestampSql = (sql: string): string => `replace((${sql} AT TIME ZONE 'UTC')::text, ' ', 'T') || 'Z'`;
