import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSpacesWithRole } from '../../../api/spaces.js';
import { projectsQuery } from '../queries.js';

interface Option {
  value: string;
  label: string;
}

/**
 * The choice of a space that the user may edit, and of a project in it.
 * @param first ids to begin with; default: the first space, no project
 */
export function useSpaceChoice(first: { space?: string | undefined; project?: string | undefined }) {
  const [chosenSpace, setSpace] = useState(first.space);
  const [project, setProject] = useState(first.project ?? '');
  const spaces = useSpacesWithRole('write');
  const space = chosenSpace ?? (spaces.find(({ playground }) => playground) ?? spaces[0])?.id;
  const projectPages = useInfiniteQuery({ ...projectsQuery(space ?? ''), enabled: space !== undefined }).data?.pages;
  const projects = projectPages?.flatMap(({ results }) => results) ?? [];
  return {
    space,
    /** Empty for none. */
    project,
    projectOptions: [
      { value: '', label: 'None' },
      ...projects.map(({ id, name }): Option => ({ value: id, label: name })),
    ],
    chooseSpace: (id: string) => {
      setSpace(id);
      setProject('');
    },
    chooseProject: setProject,
  };
}

export type SpaceChoice = ReturnType<typeof useSpaceChoice>;
