const COUNT = new Intl.NumberFormat('en-US');

/** `1,234`. */
export const formatCount = (count: number): string => COUNT.format(count);

/** A count with its noun: `1 run`, `1,234 runs`. */
export const countOf = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatCount(count)} ${count === 1 ? singular : plural}`;
