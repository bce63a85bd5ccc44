import { Link } from '@tanstack/react-router';
import type { SubjobsGetResponse } from '@millrace/client';
import { Icon } from '../../../ui/icon.js';
import { STATUS_LOOKS, HUE_SOFT, HUE_TEXT } from '../../../ui/status-looks.js';

/** Why a subjob failed, was skipped, waits, or was not executed. */
export function ReasonBox({ subjob }: { subjob: SubjobsGetResponse }) {
  const { status, message, cached, cached_from: from, cached_from_run: fromRun } = subjob;
  const { icon, hue } = STATUS_LOOKS[status];
  return (
    <>
      {message !== undefined && (
        <div className={`flex gap-2.5 rounded-md px-3 py-2 text-sm ${HUE_SOFT[hue]}`}>
          <Icon name={icon} className={`mt-0.5 ${HUE_TEXT[hue]}`} />
          <p className="wrap-text min-w-0 whitespace-pre-wrap">{message}</p>
        </div>
      )}
      {cached && (
        <p className="flex gap-2.5 rounded-md border border-line bg-panel px-3 py-2 text-sm">
          <Icon name="zap" className="mt-0.5 text-muted" />
          <span>
            It was not executed: it has the result of an earlier subjob
            {fromRun !== undefined && from !== undefined && (
              <>
                {' '}
                of{' '}
                <Link to="/runs/$runId" params={{ runId: fromRun }} search={{ subjob: from }} className="link">
                  run #{fromRun}
                </Link>
              </>
            )}
            .
          </span>
        </p>
      )}
    </>
  );
}
