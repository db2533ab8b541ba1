/** Rules of the table of allergens. */
export const sheetStyles = `
body>*{padding-inline:max(clamp(12px,5vw,32px),50% - 34rem)}
.sheet{container-type:inline-size;overflow-x:auto}
.sheet .about{text-align:start}
table{width:100%;border-collapse:collapse;font-size:.875rem}
th,td{padding:.25rem .4rem;border-bottom:1px solid var(--line);text-align:center}
tbody th{padding-inline-start:0;text-align:start;min-width:9rem}
thead th{vertical-align:bottom}
thead span{display:inline-block;writing-mode:vertical-rl}
thead span::first-letter{text-transform:uppercase}
@media screen{@container (max-width:42rem){thead,td:empty{display:none}
tr,tbody th{display:block}tr{padding:.5rem 0;border-bottom:1px solid var(--line)}tbody th,td{border:0;padding:0;text-align:start}
td{display:inline-block;margin-inline-end:.9em}td[data-name]::after{content:" " attr(data-name)}}}
th small{display:block;font-weight:400}
@media print{html{font-size:9.5pt}body{padding:0}body>*{padding-inline:0}}
`.replace(/\n/g, '')
