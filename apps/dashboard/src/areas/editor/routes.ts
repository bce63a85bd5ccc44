import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../routing/root.js';
import { strictSearch } from '../../routing/strict-search.js';
import { readEditorSearch } from './editor-search.js';
import { preloadLatestVersion } from './session/latest-version.js';

export const editorRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/workflows/$workflowId',
  validateSearch: strictSearch(readEditorSearch),
  // Not for a link that the pointer crosses: a version may have megabytes.
  loader: ({ params, cause }) => (cause === 'preload' ? undefined : preloadLatestVersion(params.workflowId)),
  // Once for each opening, and not for each change of the search.
  shouldReload: ({ cause }) => cause === 'enter',
  gcTime: 0,
  component: lazyRouteComponent(() => import('./editor-page.js'), 'EditorPage'),
});

export const versionDiffRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/workflows/$workflowId/versions/$range',
  component: lazyRouteComponent(() => import('./versions/version-diff-page.js'), 'VersionDiffPage'),
});

export const editorRoutes = [editorRoute, versionDiffRoute];
