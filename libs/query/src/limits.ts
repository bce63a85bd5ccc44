/** Bounds of a query. They keep what a query costs before it runs in milliseconds; what it costs then, a timeout bounds. */
export const MOST_CHARACTERS = 10_000;
export const MOST_DEPTH = 100;
export const MOST_CONDITIONS = 200;
/** A page may take two statements for each. */
export const MOST_ORDERS = 10;
export const MOST_LISTED = 1_000;
export const MOST_FIELDS = 100;
export const LONGEST_PATTERN = 1_000;
/** Parts of one path into json. */
export const LONGEST_PATH = 100;
/** Groups that one answer gives. */
export const MOST_GROUPS = 10_000;
