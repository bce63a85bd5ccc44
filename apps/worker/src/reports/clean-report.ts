import { type Report } from '@millrace/contracts/runs/report';

/** Makes the texts of a report storable in Postgres: NUL and lone surrogates become U+FFFD. */
export function cleanReport(report: Report): Report {
  if (report.type !== 'finished') return report;
  const params = Object.entries(report.params).map(([key, value]) => [cleanText(key), cleanValue(value)] as const);
  return {
    ...report,
    message: report.message === null ? null : cleanText(report.message),
    params: Object.fromEntries(params),
  };
}

const cleanValue = (value: string | boolean) => (typeof value === 'string' ? cleanText(value) : value);
const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');
