import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { client } from '../../../api/client.js';
import { useMemberName } from '../../../api/members.js';
import { Button } from '../../../ui/button.js';
import { Dialog, DialogActions } from '../../../ui/dialog.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { notify } from '../../../ui/toast.js';
import { type Choice, compareEdits, idOf, isConflict, makeChooser, mergeEdits } from '../document/merge.js';
import { useEditor } from '../session/editor-context.js';
import { toBase } from '../session/open-workflow.js';
import { saveVersion } from '../session/save-version.js';
import { MergeRow } from './merge-row.js';

/** Shows what somebody else saved beside the user's edits, node by node, and saves both together. */
export function ConflictDialog({ onClose }: { onClose: () => void }) {
  const { workflow, session } = useEditor();
  const queryClient = useQueryClient();
  const latest = useQuery({
    queryKey: ['editor', 'conflict', workflow.id, session.base.get().versionId],
    queryFn: ({ signal }) => client.versions.get(workflow.id, 'latest', { signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const author = useMemberName(latest.data?.author);
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
  const [base, mine] = [session.base.get().document, session.document.get()];
  const theirs = useMemo(() => latest.data && toBase(latest.data), [latest.data]);
  const items = useMemo(() => (theirs ? compareEdits(base, mine, theirs.document) : []), [base, mine, theirs]);
  const shown = items.filter(({ changedBy }) => changedBy !== 'same');
  const conflicts = shown.filter(isConflict);
  const chooser = makeChooser(items, choices);
  const open = conflicts.filter((item) => !choices.has(idOf(item)));
  const merge = useMutation({
    mutationFn: async () => {
      if (!theirs) return undefined;
      session.replace(theirs, mergeEdits(theirs.document, items, choices), 'Merge with the newest version');
      return saveVersion(session, workflow.id);
    },
    onSuccess: (result) => {
      void queryClient.invalidateQueries({ queryKey: ['editor', 'versions', workflow.id] });
      // Somebody was faster again: the dialog continues with the version after that.
      if (result?.state === 'conflict') return void latest.refetch();
      onClose();
      if (result) notify({ title: `Saved version ${result.number} with the changes of both` });
    },
  });
  const choose = (id: string, choice: Choice) => setChoices((old) => new Map(old).set(id, choice));
  return (
    <Dialog
      title="Somebody else saved a version"
      description={
        latest.data &&
        `${author ?? 'Another user'} saved version ${latest.data.number}${latest.data.name === undefined ? '' : `, “${latest.data.name}”`}, after you began to edit. Nothing is lost: choose what the next version contains.`
      }
      onClose={onClose}
      width={960}
    >
      {latest.isPending && <Skeleton />}
      {latest.error && <ErrorNote error={latest.error} onRetry={() => void latest.refetch()} />}
      {latest.data && (
        <>
          <table className="w-full table-fixed border-collapse text-sm">
            <thead>
              <tr className="border-b border-line text-left text-xs text-muted">
                <th scope="col" className="py-1.5 pr-3 font-medium">
                  Theirs
                </th>
                <th scope="col" className="py-1.5 pr-3 font-medium">
                  Yours
                </th>
                <th scope="col" className="w-44 py-1.5 font-medium">
                  Next version
                </th>
              </tr>
            </thead>
            {[...conflicts, ...shown.filter((item) => !isConflict(item))].map((item) => (
              <MergeRow
                key={idOf(item)}
                item={item}
                choice={choices.get(idOf(item))}
                fallback={chooser(item)}
                onChoose={choose}
              />
            ))}
          </table>
          {shown.length === 0 && <p className="py-4 text-sm text-muted">Both changes are the same.</p>}
          {merge.error && <ErrorNote error={merge.error} />}
          <DialogActions>
            <p role="status" className="flex-1 self-center text-sm text-muted">
              {open.length > 0 &&
                `${open.length === 1 ? 'One item has' : `${open.length} items have`} contradicting changes: choose one.`}
            </p>
            <Button onClick={onClose}>Decide later</Button>
            <Button
              look="primary"
              disabled={open.length > 0}
              isPending={merge.isPending}
              onClick={() => merge.mutate()}
            >
              Save both changes
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
