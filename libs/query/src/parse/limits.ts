/** Limits of a query, with which it is parsed and compiled within milliseconds. A timeout limits its execution. */
export const MAX_CHARACTERS = 10_000;
export const MAX_DEPTH = 100;
export const MAX_CONDITIONS = 200;
/** A page may need two statements for each of them. */
export const MAX_ORDER_ITEMS = 10;
export const MAX_LIST_VALUES = 1_000;
export const MAX_FIELDS = 100;
export const MAX_PATTERN_LENGTH = 1_000;
/** Parts of one path into json. */
export const MAX_PATH_LENGTH = 100;
/** Groups in one response. */
export const MAX_GROUPS = 10_000;
