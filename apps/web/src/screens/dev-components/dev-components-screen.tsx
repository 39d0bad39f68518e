import { UiProvider } from '../../ui/ui-provider.tsx';
import { Toaster } from '../../ui/toaster.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { classNames } from '../../ui/class-names.ts';
import { COMPONENTS } from './component-states.tsx';
import styles from './dev-components-screen.module.css';

/**
 * `/dev/components`, only in development: the components of `ui` in their states and in both themes. Hover over or
 * focus a control to see those states, too. Dialogs and menus have the theme of the page.
 */
export function DevComponentsScreen() {
  return (
    <UiProvider>
      <main className={styles.page}>
        <PageTitle>Components</PageTitle>
        <h1 className="title">Components</h1>
        <div className={styles.themes}>
          {(['light', 'dark'] as const).map((theme) => (
            <div key={theme} className={classNames(styles.theme, styles[theme])} role="group" aria-label={theme}>
              {Object.entries(COMPONENTS).map(([name, states]) => (
                <section key={name} className={styles.component} aria-label={name}>
                  <h2 className="title-sm">{name}</h2>
                  {Object.entries(states).map(([state, Example]) => (
                    <div key={state} className={styles.state} dir={state === 'right to left' ? 'rtl' : undefined}>
                      <p>{state}</p>
                      <Example />
                    </div>
                  ))}
                </section>
              ))}
            </div>
          ))}
        </div>
      </main>
      <Toaster screen="/dev/components" />
    </UiProvider>
  );
}
