import { Link, useNavigate } from '@tanstack/react-router';
import { buttonClass } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { Page } from '../../../ui/page.js';
import { runsRoute } from '../routes.js';
import { RunsList } from './runs-list.js';

/** All runs that the user may see. */
export function RunsPage() {
  const search = runsRoute.useSearch();
  const navigate = useNavigate();
  return (
    <Page title="Runs">
      <RunsList
        search={search}
        onSearch={(next) => void navigate({ to: '/runs', search: next, replace: true })}
        empty={
          <EmptyState
            icon="play"
            title="Nothing has run yet"
            actions={
              <Link to="/workflows" className={buttonClass('primary')}>
                Go to the workflows
              </Link>
            }
          >
            Open a workflow and run it. Each run appears here while it is under way, and stays with its logs and
            outputs.
          </EmptyState>
        }
      />
    </Page>
  );
}
