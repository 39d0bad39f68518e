import { useEffect, useEffectEvent, useState } from 'react';
import type { ComponentType } from 'react';
import { toast } from './toast.ts';

/**
 * A dialog whose code is fetched when it is first mounted, so that screens don't load forms that people may never open.
 * If the code can't be fetched, the dialog closes and a toast reports it.
 */
export function lazyDialog<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function LazyDialog(props: Props) {
    const [Dialog, setDialog] = useState(() => loaded);
    const fail = useEffectEvent(() => {
      toast.bad('The server can’t be reached', 'Check the connection and try again.');
      props.onClose();
    });
    useEffect(() => {
      if (loaded) return;
      let isGone = false;
      load().then(
        (dialog) => {
          loaded = dialog;
          if (!isGone) setDialog(() => dialog);
        },
        () => !isGone && fail(),
      );
      return () => {
        isGone = true;
      };
    }, []);
    return Dialog && <Dialog {...props} />;
  };
}
