import type { DeadLetter } from '@millrace/client';
import { formatCount } from '../../../text/format-count.js';
import { Fact, FactList } from '../../../ui/fact-list.js';
import { Time } from '../../../ui/time.js';
import { DetailPanel } from '../parts/detail-panel.js';
import { LetterActions } from './letter-actions.js';

interface LetterPanelProps {
  letter: DeadLetter;
  onClose: () => void;
}

/** Why an event or a job failed for good, and what it was about. */
export function LetterPanel({ letter, onClose }: LetterPanelProps) {
  const { id, name, kind, service, queue, message, error, attempts, payload, retrying } = letter;
  return (
    <DetailPanel title={name} onClose={onClose}>
      <div className="flex flex-wrap items-center gap-2">
        {retrying ? (
          <span className="text-sm text-running">It is about to be handled again.</span>
        ) : (
          <LetterActions
            choice={{ body: { ids: [id] }, count: 1, words: `the dead ${kind} “${name}”` }}
            onDone={onClose}
          />
        )}
      </div>
      <section>
        <h3 className="mb-1.5">Last failure</h3>
        <pre
          tabIndex={0}
          className="wrap-text max-h-80 overflow-y-auto rounded-md border border-line bg-panel px-3 py-2 font-mono text-xs whitespace-pre-wrap"
        >
          {error}
        </pre>
      </section>
      <FactList>
        <Fact label="Kind">{kind}</Fact>
        <Fact label="Service">{service}</Fact>
        <Fact label={kind === 'job' ? 'Queue' : 'Consumer'}>{queue}</Fact>
        <Fact label="Attempts">{formatCount(attempts)}</Fact>
        <Fact label="Failed">
          <Time value={letter.failed_date} />
        </Fact>
        <Fact label="Message">
          <span className="font-mono text-xs">{message}</span>
        </Fact>
      </FactList>
      <section>
        <h3 className="mb-1.5">Payload</h3>
        {Object.keys(payload).length === 0 ? (
          <p className="text-sm text-muted">It has no fields.</p>
        ) : (
          <FactList>
            {Object.entries(payload).map(([field, value]) => (
              <Fact key={field} label={field}>
                {value}
              </Fact>
            ))}
          </FactList>
        )}
      </section>
    </DetailPanel>
  );
}
