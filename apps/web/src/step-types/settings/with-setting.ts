/** Changes one setting. `undefined` removes it, so that its default applies. */
export function withSetting<Config extends object, Name extends keyof Config>(
  config: Config,
  name: Name,
  value: Config[Name] | undefined,
): Config {
  const { [name]: _before, ...rest } = config;
  return (value === undefined ? rest : { ...rest, [name]: value }) as Config;
}
