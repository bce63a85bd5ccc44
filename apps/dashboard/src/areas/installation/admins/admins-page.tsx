import { useState } from 'react';
import { Button } from '../../../ui/button.js';
import { Section } from '../../../ui/page.js';
import { PageBody } from '../parts/page-body.js';
import { AdminTable } from './admin-table.js';
import { AdminTokenDialog } from './admin-token-dialog.js';
import { AdminTokenTable } from './admin-token-table.js';
import { GrantDialog } from './grant-dialog.js';

/** Who administers the installation, and the tokens of the user for scripts. */
export function AdminsPage() {
  const [creating, setCreating] = useState<'admin' | 'token'>();
  const close = () => setCreating(undefined);
  return (
    <PageBody>
      <Section
        title="Administrators"
        actions={
          <Button look="primary" icon="plus" onClick={() => setCreating('admin')}>
            New administrator
          </Button>
        }
      >
        <AdminTable />
      </Section>
      <Section
        title="Your admin tokens"
        className="mt-4"
        actions={
          <Button icon="key" onClick={() => setCreating('token')}>
            New admin token
          </Button>
        }
      >
        <AdminTokenTable />
      </Section>
      {creating === 'admin' && <GrantDialog onClose={close} />}
      {creating === 'token' && <AdminTokenDialog onClose={close} />}
    </PageBody>
  );
}
