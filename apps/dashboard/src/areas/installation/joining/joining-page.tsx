import { useState } from 'react';
import { Button } from '../../../ui/button.js';
import { Section } from '../../../ui/page.js';
import { PageBody } from '../parts/page-body.js';
import { JoinTokenDialog } from './join-token-dialog.js';
import { JoinTokenTable } from './join-token-table.js';
import { JoinedWorkerTable } from './joined-worker-table.js';

/** Workers on other machines: the tokens with which they join, and the credentials that they got. */
export function JoiningPage() {
  const [isCreating, setCreating] = useState(false);
  return (
    <PageBody>
      <Section
        title="Join tokens"
        actions={
          <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
            New join token
          </Button>
        }
      >
        <JoinTokenTable />
      </Section>
      <Section title="Joined workers" className="mt-4">
        <JoinedWorkerTable />
      </Section>
      {isCreating && <JoinTokenDialog onClose={() => setCreating(false)} />}
    </PageBody>
  );
}
