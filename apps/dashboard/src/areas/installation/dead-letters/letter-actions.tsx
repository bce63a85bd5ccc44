import { useState } from 'react';
import { client } from '../../../api/client.js';
import { countOf, formatCount } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { notify } from '../../../ui/toast.js';
import { useRefresh } from '../parts/area-queries.js';
import { useAction } from '../parts/use-action.js';
import type { Choice } from './letter-filter.js';

/** More than a screen of them cannot be seen before they are dropped. */
const MAX_UNTYPED = 20;

const describeRest = (remaining: number) =>
  remaining > 0 && { description: `${formatCount(remaining)} more match. Repeat it for them.` };

/** Retries or drops what is chosen. Dropping is confirmed, because what it would have done never happens. */
export function LetterActions({ choice, onDone }: { choice: Choice; onDone: () => void }) {
  const refresh = useRefresh();
  // The list changes while a dialog is open, and the dialog must do what its title says.
  const [dropped, setDropped] = useState<Choice>();
  const [retried, setRetried] = useState<Choice>();
  const retry = useAction({
    run: ({ body }: Choice) => client.deadLetters.retry(body),
    describe: ({ changed, remaining }) => ({
      title: `${countOf(changed, 'dead letter')} will be handled again`,
      ...describeRest(remaining),
    }),
    failure: 'Nothing was retried',
    onDone,
  });
  return (
    <>
      <Button
        icon="retry"
        isPending={retry.isPending}
        onClick={() => (choice.body.ids ? retry.mutate(choice) : setRetried(choice))}
      >
        {choice.body.ids ? 'Retry' : 'Retry…'}
      </Button>
      <Button look="danger" icon="trash" onClick={() => setDropped(choice)}>
        Drop…
      </Button>
      {retried && (
        <ConfirmDialog
          title={`Retry ${retried.words}?`}
          description="They are handled again, with all their attempts."
          action="Retry"
          onConfirm={async () => {
            await retry.mutateAsync(retried);
          }}
          onClose={() => setRetried(undefined)}
        />
      )}
      {dropped && (
        <ConfirmDialog
          title={`Drop ${dropped.words}?`}
          description="They are deleted, and what they would have done does not happen. They cannot be restored."
          action="Drop"
          {...(dropped.count > MAX_UNTYPED && { typedName: 'drop' })}
          onConfirm={async () => {
            const { changed, remaining } = await client.deadLetters.drop(dropped.body);
            await refresh();
            notify({ title: `${countOf(changed, 'dead letter')} dropped`, ...describeRest(remaining) });
            onDone();
          }}
          onClose={() => setDropped(undefined)}
        />
      )}
    </>
  );
}
