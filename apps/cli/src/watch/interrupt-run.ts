import type { MillraceClient } from '@millrace/client';
import { Prompt } from '../account/prompt.js';
import { EXIT } from '../cli-context.js';
import type { Presenter } from './follow-run.js';
import { stopOnInterrupt } from './stop-on-interrupt.js';

/**
 * Lets Ctrl-C stop a watched run. At a terminal, the user chooses whether to stop the run or to leave it running.
 * @param hasUser whether a user at a terminal can choose
 * @returns whether the run was stopped by a signal, and a function that ends the handling of signals
 */
export function interruptRun(
  client: MillraceClient,
  run: string,
  { presenter, hasUser }: { presenter: Presenter; hasUser: boolean },
): { isInterrupted: () => boolean; release: () => void } {
  let prompt: Prompt | null = null;
  let hasEnded = false;
  const stop = () => {
    presenter.note('Stopping the run. Press Ctrl-C again to exit without waiting.');
    client.runs.stop(run).catch((error: Error) => presenter.note(error.message));
  };
  const requestChoice = async () => {
    presenter.pause();
    prompt = new Prompt();
    const reply = await prompt
      .readLine(`Run ${run}: (s)top it, (l)eave it running and exit, or Enter to go on watching? `)
      // The input has ended, or the run has ended meanwhile.
      .catch(() => '');
    if (hasEnded) return;
    prompt.close();
    prompt = null;
    if (/^\s*l/i.test(reply)) {
      process.stderr.write(`Run ${run} goes on. To watch it again: millrace run get ${run} --watch\n`);
      process.exit(EXIT.interrupted);
    }
    presenter.resume();
    if (/^\s*s/i.test(reply)) stop();
    else interrupt.forget();
  };
  const interrupt = stopOnInterrupt((signal) => {
    if (hasUser && signal === 'SIGINT') void requestChoice();
    else stop();
  });
  return {
    // A question without an answer stops nothing.
    isInterrupted: () => interrupt.isInterrupted() && prompt === null,
    release: () => {
      hasEnded = true;
      prompt?.close();
      interrupt.release();
    },
  };
}
