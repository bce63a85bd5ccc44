/** Commands and requests for a run. */
export const commandsOf = (run: string, origin: string): { label: string; command: string }[] => [
  { label: 'Status and steps', command: `npx millrace status ${run}` },
  { label: 'What failed, by reason', command: `npx millrace failures ${run}` },
  { label: 'Follow its changes', command: request(origin, `/runs/${run}/events`, 'curl -sN') },
  { label: 'The record', command: request(origin, `/runs/${run}`) },
  { label: 'Retry what failed', command: `npx millrace retry ${run}` },
];

const request = (origin: string, path: string, curl = 'curl -s'): string =>
  `${curl} ${origin}/api${path} -H "Authorization: Token $MILLRACE_TOKEN"`;
