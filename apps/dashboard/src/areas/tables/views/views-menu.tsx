import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Dataset } from '@millrace/client';
import { Button } from '../../../ui/button.js';
import { Menu } from '../../../ui/menu.js';
import { viewsQuery } from '../list/list-queries.js';

/** The views of a table, to open one. */
export function ViewsMenu({ table }: { table: Dataset }) {
  const navigate = useNavigate();
  const views = useQuery(viewsQuery(table.solution, table.id));
  if (!views.data || views.data.count === 0) return null;
  return (
    <Menu
      trigger={<Button icon="layers">Views</Button>}
      groups={[
        views.data.results.map((view) => ({
          label: view.name,
          onSelect: () =>
            void navigate({
              to: '/solutions/$solutionId/views/$viewId',
              params: { solutionId: view.solution, viewId: view.id },
            }),
        })),
      ]}
    />
  );
}
