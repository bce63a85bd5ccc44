/**
 * Paths of the dashboard's pages to which mails, messages and programs link. They stay valid, because a link may be opened
 * months later. The dashboard has a route for each.
 */
export const pagePaths = {
  home: '/',
  login: '/login',
  /** Needs the query parameter `token`. */
  invitation: '/invitations/accept',
  /** Needs the query parameter `token`. */
  passwordReset: '/password-reset',
  device: '/device',
  run: (id: string) => `/runs/${id}`,
  workflow: (id: string) => `/workflows/${id}`,
  module: (id: string) => `/library/modules/${id}`,
  publishedWorkflow: (snapshot: string) => `/library/workflows/${snapshot}`,
  table: (id: string) => `/tables/${id}`,
  view: (solution: string, id: string) => `/solutions/${solution}/views/${id}`,
} as const;
