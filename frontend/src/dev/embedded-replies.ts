/** Embeds replies in the page, as the gateway does. */

export function writeReplies(replies: Record<string, unknown> | string): void {
  const text = typeof replies === 'string' ? replies : JSON.stringify(replies).replaceAll('<', '\\u003c');
  document.head.insertAdjacentHTML(
    'beforeend',
    `<script type="application/json" id="replies">${text}</script>`,
  );
}
