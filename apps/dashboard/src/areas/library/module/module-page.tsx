import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Page } from '../../../ui/page.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { Tabs } from '../../../ui/tabs.js';
import { UseModuleDialog } from '../dialogs/use-module-dialog.js';
import { moduleQuery } from '../queries.js';
import { moduleRoute } from '../routes.js';
import { KIND_LABELS } from '../search.js';
import { ModuleDocs } from './module-docs.js';
import { ModuleMenu } from './module-menu.js';
import { UsesTab } from './uses-tab.js';
import { VersionsTab } from './versions-tab.js';

/** A module: docs, versions, and the workflows that use it. */
export function ModulePage() {
  const { moduleId } = moduleRoute.useParams();
  const { tab = 'docs' } = moduleRoute.useSearch();
  const navigate = moduleRoute.useNavigate();
  const [isUsing, setUsing] = useState(false);
  const { data: module, error, refetch } = useQuery(moduleQuery(moduleId));
  const breadcrumb = (
    <Link to="/library" className="hover:text-ink hover:underline">
      Library
    </Link>
  );
  if (!module)
    return (
      <Page title="Module" breadcrumb={breadcrumb}>
        {error ? <ErrorNote error={error} onRetry={() => void refetch()} className="mx-6" /> : <Skeleton />}
      </Page>
    );
  return (
    <Page
      title={<span dir="auto">{module.name}</span>}
      tabTitle={module.name}
      breadcrumb={breadcrumb}
      aside={
        <span className="text-xs text-muted">
          {KIND_LABELS[module.type]}
          {module.built_in ? ' · built-in' : ` · version ${module.version}`}
        </span>
      }
      actions={
        <>
          {!module.built_in && <ModuleMenu module={module} />}
          {module.available !== false && (
            <Button look="primary" icon="plus" onClick={() => setUsing(true)}>
              Use in a workflow
            </Button>
          )}
        </>
      }
    >
      {module.available === false && (
        <p className="mx-6 mb-2 rounded-md border border-line bg-stopped-soft px-3 py-2 text-sm text-stopped max-sm:mx-4">
          Its published workflow was withdrawn. Nodes that have the module keep working; new ones cannot use it.
        </p>
      )}
      <Tabs
        label="Module"
        className="px-6 max-sm:px-4"
        tabs={[
          { value: 'docs', label: 'Docs' },
          // Built-in modules change with the installation, not by versions of users.
          ...(module.built_in ? [] : [{ value: 'versions' as const, label: 'Versions', count: module.version }]),
          { value: 'uses', label: 'Used by' },
        ]}
        value={tab}
        onChange={(value) => void navigate({ search: value === 'docs' ? {} : { tab: value } })}
        panelClassName="px-6 pt-4 max-sm:px-4"
      >
        {tab === 'docs' && <ModuleDocs module={module} />}
        {tab === 'versions' && <VersionsTab module={module} />}
        {tab === 'uses' && <UsesTab id={module.id} />}
      </Tabs>
      {isUsing && <UseModuleDialog module={module} onClose={() => setUsing(false)} />}
    </Page>
  );
}
