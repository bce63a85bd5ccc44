import { truncateName } from '../../truncate-name.js';

const SUFFIX = ' (copy)';

/** The name of a copy that was given none. */
export const copyName = (original: string): string => truncateName(original, SUFFIX.length) + SUFFIX;
