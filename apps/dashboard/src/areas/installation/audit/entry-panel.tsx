import type { AdminAuditEntry } from '@millrace/client';
import { formatExact } from '../../../text/format-duration.js';
import { Fact, FactList } from '../../../ui/fact-list.js';
import { DetailPanel } from '../parts/detail-panel.js';
import { ACT_NAMES, actorOf, targetOf } from './act-names.js';

const CREDENTIALS: Record<AdminAuditEntry['credential'], string> = {
  session: 'A session',
  token: 'An admin token',
  command: 'A command on the server',
  join_token: 'A join token',
};

/** One act with its details. */
export function EntryPanel({ entry, onClose }: { entry: AdminAuditEntry; onClose: () => void }) {
  const { action, credential, target_type: type, target_id: id, details, address, agent } = entry;
  return (
    <DetailPanel title={ACT_NAMES[action]} onClose={onClose}>
      <FactList>
        <Fact label="Time">{formatExact(new Date(entry.created_date))}</Fact>
        <Fact label="Act">
          <code className="font-mono text-xs">{action}</code>
        </Fact>
        <Fact label="By">{actorOf(entry)}</Fact>
        <Fact label="With">{CREDENTIALS[credential]}</Fact>
        {type !== undefined && (
          <Fact label="Concerns">
            {type.replaceAll('_', ' ')} <span dir="auto">{targetOf(entry)}</span>
          </Fact>
        )}
        {id !== undefined && (
          <Fact label="Id">
            <span className="font-mono text-xs">{id}</span>
          </Fact>
        )}
        {address !== undefined && <Fact label="Address">{address}</Fact>}
        {agent !== undefined && <Fact label="Client">{agent}</Fact>}
      </FactList>
      {Object.keys(details).length > 0 && (
        <section>
          <h3 className="mb-1.5">Details</h3>
          <FactList>
            {Object.entries(details).map(([field, value]) => (
              <Fact key={field} label={field}>
                <span dir="auto">{typeof value === 'string' ? value : JSON.stringify(value)}</span>
              </Fact>
            ))}
          </FactList>
        </section>
      )}
    </DetailPanel>
  );
}
