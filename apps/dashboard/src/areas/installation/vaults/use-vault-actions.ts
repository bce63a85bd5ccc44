import type { AdminVault } from '@millrace/client';
import { client } from '../../../api/client.js';
import type { MenuItem } from '../../../ui/menu.js';
import { useAction } from '../parts/use-action.js';

/** The dialogs about a vault. */
export type VaultDialog = 'limits' | 'suspend';

/** What can be done with a vault. @param onDialog opens a dialog for what needs one */
export function useVaultActions({ id, name, state }: AdminVault, onDialog: (dialog: VaultDialog) => void): MenuItem[] {
  const resume = useAction({
    run: () => client.adminVaults.resume(id),
    describe: () => ({ title: `${name} may start runs again` }),
    failure: `${name} was not resumed`,
  });
  return [
    { label: 'Change the limits…', icon: 'sliders', onSelect: () => onDialog('limits') },
    state === 'suspended'
      ? { label: 'Resume', icon: 'play', onSelect: () => resume.mutate() }
      : { label: 'Suspend…', icon: 'circleSlash', isDangerous: true, onSelect: () => onDialog('suspend') },
  ];
}
