/**
 * The game's signs, each on a grid of 24. `--c` is the paper they are cut from, `--cut` the dark line between two papers;
 * signs in one colour take the text's.
 */
const P = (d: string, f = "var(--c)") => `<path d="${d}" fill="${f}"/>`;
const CUT = (d: string, w = 1.5) => `<path d="${d}" fill="none" stroke="var(--cut)" stroke-width="${w}" stroke-linecap="round" stroke-linejoin="round"/>`;
const OUT = (inner: string, w = 2.4) => `<g stroke="var(--cut)" stroke-width="${w}" stroke-linejoin="round" paint-order="stroke">${inner}</g>`;
const LINE = (d: string, w = 2) => `<path d="${d}" fill="none" stroke="currentColor" stroke-width="${w}" stroke-linecap="round" stroke-linejoin="round"/>`;
const FILL = (d: string, o = 1) => `<path d="${d}" fill="currentColor" opacity="${o}"/>`;
const grain = (y: number) => `M12 ${y}C8.6 ${y} 4.6 ${y - 2.2} 4.4 ${y - 7}C8.6 ${y - 6.6} 12 ${y - 3.6} 12 ${y}z M12 ${y}C15.4 ${y} 19.4 ${y - 2.2} 19.6 ${y - 7}C15.4 ${y - 6.6} 12 ${y - 3.6} 12 ${y}z`;
const HEX = "M12 1.5 21 6.75V17.25L12 22.5 3 17.25V6.75z";
export const SIGNS = {
  /* the five resources */
  wood: `<g transform="rotate(-28 12 12)">${OUT(P("M6.6 7.6 7.6 2.6l4.8.8.4 4.2z") + P("M1.4 6.8H18a4 5.8 0 0 1 0 11.6H1.4l2.2-3.2-2.2-2.6 2.2-2.6z"))}<ellipse cx="18" cy="12.6" rx="3.8" ry="5.6" fill="#f7e6ca" stroke="var(--cut)" stroke-width="1.7"/><ellipse cx="18" cy="12.6" rx="1.2" ry="2" fill="var(--cut)"/></g>`,
  stone: OUT(P("M1.8 17.2 5 8.4 12.2 3 19.6 6.4 22.4 15.4 17.6 21H6z")) + `<path d="M5 8.4 12.2 3 19.6 6.4 13 11.6z" fill="#fff" opacity=".55"/>` + CUT("M5 8.4 13 11.6 19.6 6.4M13 11.6 11.4 21", 1.6),
  clay: OUT(P("M6.4 3.6h11.2v7H6.4z") + P("M1.4 12.8h9.6v7.4H1.4z") + P("M13 12.8h9.6v7.4H13z")) + `<path d="M6.4 3.6h11.2v2H6.4zM1.4 12.8h9.6v2H1.4zM13 12.8h9.6v2H13z" fill="#fff" opacity=".28"/>`,
  wheat: OUT(P("M11.1 13h1.8v10.6h-1.8z") + P(grain(20.6)) + P(grain(15)) + P("M12 .8C14.6 3 14.8 6.6 12 9.6 9.2 6.6 9.4 3 12 .8z")) + CUT("M12 10v10.6", 1.2),
  food: OUT(P("M12 8.2C9 5.4 2.6 6.4 2.6 13c0 5.8 4 9.6 6.8 9.6 1.2 0 1.6-.6 2.6-.6s1.4.6 2.6.6c2.8 0 6.8-3.8 6.8-9.6 0-6.6-6.4-7.6-9.4-4.8z") + P("M12.8 6C13.4 2.4 16.6.8 20.4 1.4 19.8 4.8 16.8 6.8 12.8 6z", "#e9f6c9")) + CUT("M12 8.6C11.9 6.6 11.4 5 10.4 3.6", 1.8) + `<path d="M5.4 13.4c0-2.4 1-3.8 2.8-4.4" fill="none" stroke="#fff" stroke-opacity=".65" stroke-width="1.8" stroke-linecap="round"/>`,
  /* the seats */
  circle: '<circle cx="12" cy="12" r="8.4" fill="currentColor"/>',
  square: '<rect x="4.4" y="4.4" width="15.2" height="15.2" rx="1.6" fill="currentColor"/>',
  triangle: FILL("M12 2.8 21.6 19.8H2.4z"),
  diamond: FILL("M12 1.6 21.4 12 12 22.4 2.6 12z"),
  /* costs that leave the choice: any two equal, any three different */
  equal: OUT('<circle cx="12" cy="12" r="9" fill="var(--c)"/>') + CUT("M8.4 9.8h7.2M8.4 14.2h7.2", 2.2),
  other0: OUT('<circle cx="12" cy="12" r="9" fill="var(--c)"/>') + CUT("M9 9.4a3 3 0 1 1 3.6 3.2v1.6M12.2 17.4h.1", 2),
  other1: OUT('<rect x="3.6" y="3.6" width="16.8" height="16.8" rx="2" fill="var(--c)"/>') + CUT("M9 9.4a3 3 0 1 1 3.6 3.2v1.6M12.2 17.4h.1", 2),
  other2: OUT(P("M12 2 22.4 20.6H1.6z")) + CUT("M9.6 11.4a2.6 2.6 0 1 1 2.9 2.4v1.2M12.4 18h.1", 1.9),
  /* pieces */
  craftsman: OUT(P("M18.3 23.2 19.6 7.4h2.3l-1.3 15.8z") + P("M16.2 2.8h7.2v5.4h-7.2z") + P("M9.6 10.8c5.2 0 8 4.4 8.4 12.4H1.2c.4-8 3.2-12.4 8.4-12.4z") + '<circle cx="9.6" cy="6" r="4.6" fill="var(--c)"/>', 2.2) + `<path d="M16.2 2.8h7.2v1.8h-7.2zM5.8 4.2a4.6 4.6 0 0 1 7.6 0c-2.4 1.4-5.2 1.4-7.6 0z" fill="#fff" opacity=".4"/>`,
  building: OUT(P("M13.4 22.4V6.4h8v16z") + P("M1.8 22.4V12.4h12v10z"), 2.2) + OUT(`<path d="M12.2 6.8 17.4.4l5.2 6.4z" fill="var(--c)"/><path d="M.4 12.8 7.8 5.8l7.4 7z" fill="var(--c)"/>`, 2) + `<path d="M12.2 6.8 17.4.4l5.2 6.4zM.4 12.8 7.8 5.8l7.4 7z" fill="#fff" opacity=".32"/>` + `<path d="M16.3 9.6h2.2v3h-2.2z" fill="var(--cut)" opacity=".75"/>`,
  site: OUT(P("M1.6 19.4V9.6L7 4.2h10l5.4 5.4v9.8z"), 2.2) + CUT("M5 16.4 9.6 8M11 16.4 15.6 8M17 16.4 20 11", 1.4),
  explorer: FILL("M8.2 1.2c1.8 0 2.9 1.5 3.2 3.4 1.6.2 2.7.7 2.7 1.3 0 .5-.8.9-2 1.2a3.9 3.9 0 0 1-7.8 0c-1.2-.3-2-.7-2-1.2 0-.6 1.1-1.1 2.7-1.3.3-1.9 1.4-3.4 3.2-3.4z") + FILL("M8.2 11.4c3.8 0 5.6 3.2 6.2 11.2H2c.6-8 2.4-11.2 6.2-11.2z") + LINE("M12 14.8 17 12.4M17 2.4V22.6M17 2.6h3.8v2", 1.6) + '<path d="M18.9 4.8h3.8l1 2.2v4.6h-5.8V7z M20.8 7.4l-1.3 1.9 1.3 1.9 1.3-1.9z" fill="currentColor" fill-rule="evenodd"/>',
  tile: `<path d="${HEX}" fill="var(--tile)" stroke="var(--rim, var(--cut))" stroke-width="1.6" stroke-linejoin="round"/><path d="M12 1.5 21 6.75" stroke="var(--tile-hi)" stroke-width="1.4" stroke-linecap="round"/><path d="M3 6.75 12 1.5" stroke="var(--tile-hi)" stroke-width="1.4" stroke-linecap="round"/><path d="M8 15.5c1-2 1-3.6.6-5M12 16.5c0-2.6.2-4.4 0-6M16 15.5c-1-2-1-3.6-.6-5" fill="none" stroke="var(--trail)" stroke-width="1.5" stroke-linecap="round" opacity=".8"/>`,
  pin: '<path d="M12 23 5.4 13.6a8 8 0 1 1 13.2 0z" fill="var(--c)" stroke="var(--cut)" stroke-width="1.8" stroke-linejoin="round"/>',
  /* points, doubt and other marks */
  crescent: FILL("M14.6 2.6A9.6 9.6 0 1 0 21.4 15.8 8 8 0 0 1 14.6 2.6z"),
  likely: `${FILL("M12 4a8 8 0 0 1 0 16z")}<circle cx="12" cy="12" r="7.2" fill="none" stroke="currentColor" stroke-width="2"/>`,
  reconstructed: '<circle cx="12" cy="12" r="7.2" fill="none" stroke="currentColor" stroke-width="2.2" stroke-dasharray="3.2 2.45"/>',
  back: `<rect x="4" y="2" width="16" height="20" rx="2.5" fill="var(--raised)" stroke="currentColor" stroke-width="1.5"/><path d="M13.6 8a4.6 4.6 0 1 0 2.8 6.4A4 4 0 0 1 13.6 8z" fill="currentColor"/>`,
  /* the actions */
  a_craftsman: FILL("M8.6 2.4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM8.6 11.6c4.4 0 6.7 3.5 7 10.4H1.6c.3-6.9 2.6-10.4 7-10.4z") + FILL("M16.6 3h6v4.6h-2l-.9 14.4h-1.7l.7-14.4h-2.1z"),
  a_site: LINE("M2.6 20V10.6L7.6 5.6H16.4L21.4 10.6V20z", 2) + LINE("M7 20 11.5 5.6M12.5 20 16.6 6.8M2.6 14.2H21.4", 1.6),
  a_explore: LINE("M2.4 17.6H16.2a4.3 4.3 0 1 0-4-5.8M2.4 12.6h5.4M5.4 22h9", 2.1) + LINE("M5 8.6a4.6 4.6 0 0 1 8.4-3", 2.1),
  a_forest: FILL("M10.8 22.6 11 15.2 5.4 10.8 6.4 9.6 11 12.4V8.2L7.8 4.2 9.1 3.2 11.3 5.6 12 .8 12.8 5.8 15.4 3 16.6 4.2 13.2 8.6V12L17.8 8 18.9 9.2 13.2 15.2 13.6 22.6z") + LINE("M6.4 22.6h11.4", 1.8),
  a_carry: LINE("M2.2 18.6h.1M6.6 17.2h.1M10.6 14.4h.1", 2.8) + LINE("M13.4 11.2 20.6 4M20.6 4h-6M20.6 4v6", 2.3) + LINE("M14.6 20h7v-5", 0),
  a_build: FILL("M2 11.8 11 3.4l9 8.4-1.3 1.4-1.3-1.2V21H13.4v-5.6H8.6V21H4.6v-9L3.3 13.2z") + LINE("M20.6 2v4.6M18.3 4.3h4.6", 1.8),
  /* what the contracts do */
  p_store: LINE("M4 8.4h14.4M14.4 4.4l4 4-4 4M20 16H5.6M9.6 12l-4 4 4 4", 2.1),
  p_carpentry: FILL("M7.2 15 7.3 10 3.5 7l.9-1.1 3 1.7V4.6L5.3 2l1-.8 1.5 1.5L8.3 0l.6 2.8L10.6 1l.9.8-2.2 2.9v2.7l3-2.6.9 1L9.4 10l.2 5z") + `<path d="M15.5 10.2 22 14v7.2L15.5 24.6 9 21.2V14z" transform="translate(0 -1.5)" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round"/>`,
  p_distillery: LINE("M9 2.6h6M10.2 2.6v6.2L4.4 18.6a2 2 0 0 0 1.8 2.9H17.8a2 2 0 0 0 1.8-2.9L13.8 8.8V2.6", 1.9) + FILL("M8 15.2h8l2.4 4.3H5.6z", .75),
  p_airway: `<path d="M16 9.2 22 12.7v7L16 23.2l-6-3.5v-7z" transform="translate(.4 -.6)" fill="none" stroke="currentColor" stroke-width="1.9" stroke-linejoin="round"/>` + FILL("M13.6 8.2C10 8.4 4.6 6.6 1.6 1.2 1 6.2 2.6 9.6 5.6 11.2 4.6 11.4 3.6 11.3 2.8 11c1 2.8 3.4 4.4 6.4 4.2z"),
  p_abundance: LINE("M3.6 12.6h16.8l-2.2 8.6H5.8z", 1.9) + LINE("M9 12.6 8.4 21M15 12.6l.6 8.4", 1.3) + `<circle cx="8" cy="8.4" r="3" fill="currentColor"/><circle cx="15.4" cy="8.6" r="3" fill="currentColor"/><circle cx="11.8" cy="4" r="3" fill="currentColor"/>`,
  p_adventurers: LINE("M1.8 12C6 5.6 18 5.6 22.2 12 18 18.4 6 18.4 1.8 12z", 1.9) + `<path d="M12 7.4 15.8 9.6v4.6L12 16.4l-3.8-2.2V9.6z" fill="currentColor"/>` + LINE("M5.4 5 4 2.6M12 4V1.4M18.6 5 20 2.6M5.4 19 4 21.4M12 20v2.6M18.6 19l1.4 2.4", 1.7),
  p_caravan: LINE("M6 21.4V10M2.4 13.4 6 9.8l3.6 3.6", 2) + `<rect x="12.4" y="9.4" width="9" height="9" rx="1.5" fill="currentColor"/>`,
  p_export: LINE("M6 21.4V10M2.4 13.4 6 9.8l3.6 3.6", 2) + `<rect x="12.4" y="13" width="8.6" height="8.6" rx="1.5" fill="currentColor"/><rect x="12.4" y="2.6" width="8.6" height="8.6" rx="1.5" fill="currentColor"/>`,
  p_architect: LINE("M12 2.4v4M12 6.4 5 21.4M12 6.4l7 15M4 15.6c5 3 11 3 16 0", 2),
  p_merchant: `<circle cx="9.6" cy="14.4" r="6.8" fill="none" stroke="currentColor" stroke-width="2"/>` + LINE("M13.6 4a6.8 6.8 0 0 1 6.6 9.4", 2) + FILL("M9.6 11l3 3.4-3 3.4-3-3.4z"),
  p_mayor: FILL("M2 20.6V10.2L7 5.6l5 4.6v10.4zM13.4 20.6V10.2l5-4.6 4.6 4.6v10.4z", .95) + LINE("M2 23.2h20.6", 1.6),
  p_explorer: FILL("M9.6 2.2a3.1 3.1 0 1 1 0 6.2 3.1 3.1 0 0 1 0-6.2zM9.6 9.2c3.6 0 5 3.4 5.6 12.8H4C4.6 12.6 6 9.2 9.6 9.2z") + LINE("M18.6 5V22", 1.7),
  p_priest: LINE("M11 22.6V8.2a4.6 4.6 0 1 1 6.4 4.2 2.6 2.6 0 0 1-3-3.6", 2.2) + LINE("M8.4 22.6h5.2", 2),
  "p_quiet-town": FILL("M3 22V13.6L9 8l6 5.6V22z") + FILL("M17.8 2.4a6 6 0 1 0 4.4 8.2 5 5 0 0 1-4.4-8.2z"),
  "p_express-delivery": FILL("M13.8 1.4 5 13.2h5.6L8.8 22.6 19 9.8h-6.2z"),
  "p_secret-plan": `<rect x="8.4" y="2" width="12" height="16" rx="2" fill="none" stroke="currentColor" stroke-width="1.9"/>` + LINE("M8.4 6H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h8a2 2 0 0 0 2-2v-2", 1.9) + FILL("M15.4 6.2a4 4 0 1 0 2.4 5.4 3.4 3.4 0 0 1-2.4-5.4z"),
  p_shortcut: `<path d="M7.6 7.6 13 10.8v6L7.6 20l-5.4-3.2v-6z" fill="currentColor"/><path d="M10.6 1.8l4.6 2.6v5" fill="none" stroke="currentColor" stroke-width="1.9" stroke-linejoin="round"/>` + LINE("M15.6 15.4h6.6M19 12l3.4 3.4L19 18.8", 2),
} as const;
export type SignName = keyof typeof SIGNS;
