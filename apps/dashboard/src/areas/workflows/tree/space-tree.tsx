import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Space } from '@millrace/client';
import { Button } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Icon } from '../../../ui/icon.js';
import { projectsQuery, spacesQuery } from '../queries.js';
import { ProjectMenu } from './project-menu.js';
import { SpaceMenu } from './space-menu.js';

interface SpaceTreeProps {
  space: string | undefined;
  project: string | undefined;
}

/** Spaces with their projects. The chosen space is open. */
export function SpaceTree({ space, project }: SpaceTreeProps) {
  const spaces = useInfiniteQuery(spacesQuery);
  const all = spaces.data?.pages.flatMap(({ results }) => results) ?? [];
  return (
    <nav aria-label="Spaces and projects" className="w-60 shrink-0 max-md:w-auto">
      <ul className="flex flex-col gap-0.5">
        <li>
          <TreeLink search={{}} isCurrent={space === undefined} icon={<Icon name="layers" />} label="All workflows" />
        </li>
        {all.map((entry) => (
          <SpaceEntry key={entry.id} space={entry} isOpen={entry.id === space} project={project} />
        ))}
      </ul>
      {spaces.error && <ErrorNote error={spaces.error} onRetry={() => void spaces.refetch()} />}
      {spaces.hasNextPage && (
        <Button look="quiet" className="mt-1" onClick={() => void spaces.fetchNextPage()}>
          Show more spaces
        </Button>
      )}
    </nav>
  );
}

function SpaceEntry({
  space,
  isOpen: isChosen,
  project,
}: {
  space: Space;
  isOpen: boolean;
  project: string | undefined;
}) {
  const [isToggled, setToggled] = useState<boolean>();
  const isOpen = isToggled ?? isChosen;
  return (
    <li>
      <div className="group relative flex items-center">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`Projects of ${space.name}`}
          disabled={space.projects_count === 0}
          onClick={() => setToggled(!isOpen)}
          className="flex size-6 items-center justify-center rounded-sm text-muted hover:bg-hover disabled:invisible"
        >
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={14} />
        </button>
        <TreeLink
          search={{ space: space.id }}
          isCurrent={isChosen && project === undefined}
          icon={<SpaceMark color={space.color} />}
          label={space.name}
          count={space.workflows_count}
        />
        <SpaceMenu space={space} />
      </div>
      {isOpen && space.projects_count > 0 && <Projects space={space} project={project} />}
    </li>
  );
}

function Projects({ space, project }: { space: Space; project: string | undefined }) {
  const projects = useInfiniteQuery(projectsQuery(space.id));
  return (
    <ul className="ml-6 flex flex-col gap-0.5">
      {projects.data?.pages
        .flatMap(({ results }) => results)
        .map((entry) => (
          <li key={entry.id} className="group relative flex items-center">
            <TreeLink
              search={{ space: space.id, project: entry.id }}
              isCurrent={entry.id === project}
              icon={<Icon name="folder" />}
              label={entry.name}
              count={entry.workflows_count}
            />
            <ProjectMenu project={entry} />
          </li>
        ))}
      {projects.hasNextPage && (
        <li>
          <Button look="quiet" onClick={() => void projects.fetchNextPage()}>
            Show more projects
          </Button>
        </li>
      )}
    </ul>
  );
}

interface TreeLinkProps {
  search: { space?: string; project?: string };
  isCurrent: boolean;
  icon: ReactNode;
  label: string;
  count?: number;
}

const TreeLink = ({ search, isCurrent, icon, label, count }: TreeLinkProps) => (
  <Link
    to="/workflows"
    search={search}
    aria-current={isCurrent ? 'page' : undefined}
    className={`flex h-8 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-sm hover:bg-hover ${isCurrent ? 'bg-pressed font-medium' : 'text-muted hover:text-ink'}`}
  >
    {icon}
    <span className="min-w-0 flex-1 truncate" title={label} dir="auto">
      {label}
    </span>
    {count !== undefined && (
      <span className="nums text-xs text-muted group-focus-within:invisible group-hover:invisible">{count}</span>
    )}
  </Link>
);

/** A square in the colour of the space. Users write any text into that field, so only valid colours are used. */
const SpaceMark = ({ color }: { color: string | undefined }) => (
  <span
    aria-hidden
    className="size-3 shrink-0 rounded-sm bg-queued-solid"
    style={color !== undefined && CSS.supports('color', color) ? { backgroundColor: color } : {}}
  />
);
