import { type Report } from '@millrace/contracts/runs/report';

/** A report whose texts any database takes: what stands for no character in them becomes U+FFFD. */
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
