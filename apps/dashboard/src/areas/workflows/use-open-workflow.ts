import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Opens a workflow in the editor. */
export function useOpenWorkflow(): (id: string) => void {
  const navigate = useNavigate();
  return useCallback((id) => void navigate({ to: '/workflows/$workflowId', params: { workflowId: id } }), [navigate]);
}
