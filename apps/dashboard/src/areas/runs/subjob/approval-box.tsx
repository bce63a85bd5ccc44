import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Run, Subjob } from '@millrace/client';
import { client } from '../../../api/client.js';
import { useSpaceRole } from '../../../api/roles.js';
import { Button } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { TextField } from '../../../ui/field.js';
import { Icon } from '../../../ui/icon.js';
import { Time } from '../../../ui/time.js';
import { useRefreshRun } from '../actions/use-refresh-run.js';
import { AuthorName } from '../shared/author-name.js';

interface ApprovalBoxProps {
  run: Run;
  subjob: Subjob;
  approval: NonNullable<Subjob['approval']>;
}

/** The decision when nobody has made one. */
const EXPIRED = { approve: 'approved', reject: 'rejected' } as const;

/** A decision that a person has to make, or has made. */
export function ApprovalBox({ run, subjob, approval }: ApprovalBoxProps) {
  return (
    <section aria-label="Approval" className="rounded-md border border-line bg-panel p-3 text-sm">
      <p className="flex gap-2.5 font-medium">
        <Icon name="hand" className="mt-0.5 text-muted" />
        <span className="wrap-text min-w-0 whitespace-pre-wrap" dir="auto">
          {approval.message || 'The run waits for a decision.'}
        </span>
      </p>
      <div className="mt-1 pl-6.5 text-muted">
        {approval.state === 'open' ? (
          <Open run={run} subjob={subjob} approval={approval} />
        ) : (
          <Decided approval={approval} />
        )}
      </div>
    </section>
  );
}

function Decided({
  approval: { state, decided_by: user, decided_at: at, comment },
}: Pick<ApprovalBoxProps, 'approval'>) {
  const verb = { approved: 'Approved', rejected: 'Rejected', withdrawn: 'It can no longer be decided', open: '' }[
    state
  ];
  return (
    <>
      <p>
        {verb}
        {state !== 'withdrawn' &&
          (user === undefined ? (
            ' because it expired'
          ) : (
            <>
              {' '}
              by <AuthorName id={user} self="you" />
            </>
          ))}
        {at !== undefined && (
          <>
            , <Time value={at} />
          </>
        )}
      </p>
      {comment !== undefined && comment !== '' && (
        <p className="wrap-text mt-1 text-ink" dir="auto">
          “{comment}”
        </p>
      )}
    </>
  );
}

function Open({ run, subjob, approval }: ApprovalBoxProps) {
  const [comment, setComment] = useState('');
  const mayDecide = useSpaceRole(run.space_info, approval.role);
  const refresh = useRefreshRun(run.id);
  const decide = useMutation({
    mutationFn: (verb: 'approve' | 'reject') =>
      client.approvals[verb](run.id, subjob.id, comment.trim() === '' ? {} : { comment: comment.trim() }),
    onSuccess: refresh,
  });
  return (
    <>
      <p>
        Requested <Time value={approval.requested_at} />
        {approval.expires_at !== undefined && (
          <>
            ; expires <Time value={approval.expires_at} />
            {approval.on_expiry !== undefined && ` (then it is ${EXPIRED[approval.on_expiry]})`}
          </>
        )}
        .
      </p>
      {mayDecide ? (
        <div className="mt-3 flex flex-col gap-3 text-ink">
          <TextField
            label="Comment"
            hint="For the audit log, and for the steps that follow."
            value={comment}
            onChange={setComment}
          />
          {decide.error && <ErrorNote error={decide.error} className="mt-0" />}
          <div className="flex gap-2">
            <Button
              look="primary"
              icon="check"
              isPending={decide.isPending && decide.variables === 'approve'}
              onClick={() => decide.mutate('approve')}
            >
              Approve
            </Button>
            <Button
              look="danger"
              icon="x"
              isPending={decide.isPending && decide.variables === 'reject'}
              onClick={() => decide.mutate('reject')}
            >
              Reject
            </Button>
          </div>
        </div>
      ) : (
        <p className="mt-1">Deciding needs the role “{approval.role}” in this space. Ask someone who has it.</p>
      )}
    </>
  );
}
