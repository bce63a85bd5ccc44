import { renderMetrics } from '../metrics/registry.js';

/**
 * Reads a series of this process as a scrape does.
 * @param series its name with its labels in the order of the text, such as `millrace_mails_total{outcome="sent"}`
 * @returns its value; undefined if no such series exists
 */
export const readMetric = async (series: string): Promise<number | undefined> => valueIn(await renderMetrics(), series);

/** @param text in the format of Prometheus @returns the value of a series; undefined if the text does not have it */
export function valueIn(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}
