/** A time as pages show it: in UTC, because the reader's time zone is unknown. */
export const formatTime = (rfc3339: string): string => `${rfc3339.slice(0, 10)} ${rfc3339.slice(11, 19)} UTC`;
