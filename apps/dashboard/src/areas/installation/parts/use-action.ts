import { useMutation } from '@tanstack/react-query';
import { notify, notifyError, type Notice } from '../../../ui/toast.js';
import { useRefresh } from './area-queries.js';

interface Action<Result, Input> {
  run: (input: Input) => Promise<Result>;
  /** What was done. */
  describe: (result: Result) => Omit<Notice, 'type'>;
  /** What failed, such as "The worker does not drain". */
  failure: string;
  onDone?: () => void;
}

/** Something that a click does at once. It is reported, and the page is read again. */
export function useAction<Result, Input = void>({ run, describe, failure, onDone }: Action<Result, Input>) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: run,
    onSuccess: (result) => {
      notify(describe(result));
      onDone?.();
      return refresh();
    },
    onError: (error) => notifyError(failure, error),
  });
}
