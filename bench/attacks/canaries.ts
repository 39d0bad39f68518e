/** An external address that must never receive a request. */
export const ELSEWHERE = 'canary.invalid';

/** Returns input for a single-line field: markup, mentions in Slack, and the start of a formula. */
export const lineOf = (field: string): string => `=${field}"'><img src=x onerror=__hit('${field}')><!channel> & <@U1>`;

/** Returns input for an email address, which allows fewer characters. */
export const emailOf = (field: string): string => `=${field}'onerror=__hit&{{7*7}}\${x}@example.com`;

/**
 * Returns input for a multi-line field, with Markdown, markup, templates and mentions in Slack. The template has inner
 * braces because a notification with an unknown placeholder can't go live.
 */
export const textOf = (field: string): string =>
  [
    `=${field} <script>__hit('${field}')</script><svg onload=__hit('${field}')>`,
    `"'><img src=x onerror=__hit('${field}')> <!channel> <@U1> <https://${ELSEWHERE}/|click>`,
    `[link](javascript:__hit('${field}')) [data](data:text/html,<script>__hit('${field}')</script>) [vb](vbscript:x)`,
    `<a href="javascript:__hit('${field}')">a</a> <iframe src="https://${ELSEWHERE}/frame"></iframe>`,
    `![image](https://${ELSEWHERE}/${field}.png) <style>@import 'https://${ELSEWHERE}/${field}.css'</style>`,
    `{{constructor.constructor('{__hit(1)}')()}} \${__hit('${field}')} <%= 7*7 %>`,
  ].join('\n\n');
