import type { BrowserContext, ConsoleMessage } from '@playwright/test';

/** Name of the function that pages call for each violation of the content security policy. */
const REPORT_VIOLATION = 'reportPolicyViolation';

/** Collects what a page must not cause: policy violations, uncaught errors, and errors in the console. */
export class ProblemWatch {
  private readonly problems: string[] = [];
  private readonly allowed: RegExp[] = [];
  private readonly contexts: BrowserContext[] = [];

  /** Accepts the problems whose text matches, such as /status of 401/ for a sign-in with a wrong password. */
  allow(pattern: RegExp): void {
    this.allowed.push(pattern);
  }

  /** Call it before the first page of the context opens. */
  async watch(context: BrowserContext): Promise<void> {
    this.contexts.push(context);
    context.on('weberror', (event) => this.add(`Uncaught error: ${describeError(event.error())}`));
    context.on('console', (message) => {
      if (message.type() === 'error') this.add(`Console error: ${describeMessage(message)}`);
    });
    await context.exposeBinding(REPORT_VIOLATION, (_source, text: string) => this.add(`Policy violation: ${text}`));
    await context.addInitScript(reportViolations, REPORT_VIOLATION);
  }

  /** @returns the problems that are not allowed, after the events that the pages have already sent */
  async collect(): Promise<string[]> {
    const pages = this.contexts.flatMap((context) => context.pages());
    await Promise.all(pages.map((page) => page.evaluate(() => undefined).catch(() => undefined)));
    return this.problems.filter((problem) => !this.allowed.some((pattern) => pattern.test(problem)));
  }

  private add(problem: string): void {
    this.problems.push(problem);
  }
}

const describeMessage = (message: ConsoleMessage): string => `${message.text()} (${message.location().url})`;

const describeError = ({ name, message, stack }: Error): string => stack || `${name}: ${message}`;

/** Runs in the page, before its scripts. */
function reportViolations(reportName: string): void {
  const report = (globalThis as unknown as Record<string, (text: string) => void>)[reportName];
  document.addEventListener('securitypolicyviolation', (event) => {
    const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample, documentURI } = event;
    const place = `${sourceFile || documentURI}:${lineNumber}`;
    report?.(`${effectiveDirective} blocks ${blockedURI || 'inline code'} at ${place}${sample && `: ${sample}`}`);
  });
}
