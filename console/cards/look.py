"""The few rules of appearance that Streamlit has no option for. All of it is literal."""

from __future__ import annotations

import streamlit as st


def apply() -> None:
    """Draw the style sheet once per run."""
    st.html(
        """<style>
.stMainBlockContainer{padding:3.9rem 2rem 1rem;max-width:1560px}
.stMainBlockContainer h1{font-size:1.45rem;padding:0 0 .35rem}
.stMainBlockContainer h3{font-size:.8rem;letter-spacing:.06em;text-transform:uppercase;
  font-weight:600;padding:.2rem 0 .5rem;opacity:.85}
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"]{gap:.55rem}
[data-testid="stPageLink"] p{text-decoration:underline;text-underline-offset:3px}
.st-key-frame{position:fixed;top:.55rem;right:1.2rem;z-index:999995;width:auto!important}
.st-key-frame [data-baseweb="select"]>div{min-height:2rem;height:2rem}
.st-key-frame button{text-transform:uppercase;min-height:2rem;padding:0 .6rem}
[data-testid="stBottomBlockContainer"]{padding:.35rem 2rem .6rem;max-width:1560px}
[data-testid="stBottomBlockContainer"] [data-testid="stVerticalBlock"]{gap:.3rem}
[data-testid="stBottom"]>div{border-top:1px solid rgba(128,128,128,.35)}
.mc-source{margin:0;padding:.5rem .7rem;font-size:.8rem;line-height:1.5;white-space:pre-wrap;
  overflow-wrap:anywhere;overflow:auto;border:1px solid rgba(128,128,128,.3);border-radius:.3rem;
  background:rgba(128,128,128,.07)}
.mc-diff{margin:0!important;font-size:.9rem;line-height:1.5;overflow-wrap:anywhere}
.mc-diff ins{background:rgba(0,114,178,.14);text-decoration-thickness:2px;
  text-underline-offset:3px}
.mc-diff del{background:rgba(230,159,0,.2);text-decoration-thickness:2px}
.mc-headline{font-size:1.12rem!important;line-height:1.4!important;font-weight:600;margin:0!important;
  padding:0!important;overflow-wrap:anywhere}
.mc-short{max-height:13rem}
.mc-tall{max-height:none}
.mc-source mark{background:rgba(0,114,178,.16);color:inherit;text-decoration:underline;
  text-decoration-thickness:2px;text-underline-offset:3px;padding:0 .1em}
.mc-source mark::before{content:"[";font-weight:700}
.mc-source mark::after{content:"]";font-weight:700}
.mc-step{margin:0 0 .45rem}
.mc-step p{margin:0 0 .1rem!important;font-size:.78rem;line-height:1.3}
.mc-step p span{opacity:.72;margin-left:.5rem;overflow-wrap:anywhere}
.mc-step-text{max-height:9rem;padding:.3rem .55rem}
.mc-fields{display:grid;grid-template-columns:minmax(5.5rem,max-content) 1fr;gap:.05rem .7rem;
  margin:0!important;padding:0!important;font-size:.84rem;line-height:1.45}
.mc-fields dt{opacity:.72;margin:0!important;padding:0!important;font-weight:400}
.mc-fields dd{margin:0!important;padding:0!important;overflow-wrap:anywhere;
  font-variant-numeric:tabular-nums}
[class*="st-key-claim"] pre{max-height:22rem;overflow:auto;padding:.55rem .7rem!important;
  border-left:3px solid #0072B2}
[class*="st-key-claim"] code{font-family:"Source Sans",sans-serif!important;
  font-size:1.08rem!important;line-height:1.5!important}
[class*="st-key-claim-source"] .mc-source{font-family:"Source Sans",sans-serif;font-size:1.01rem;
  border-width:0 0 0 3px;background:rgba(128,128,128,.03)}
.st-key-demo [data-testid="stAlertContainer"]{padding:.2rem .7rem}
.st-key-stops [data-testid="stAlertContainer"]{padding:.4rem .7rem}
.st-key-question [data-testid="stAlertContainer"]{padding:.4rem .7rem}
.st-key-said p,.st-key-why p{font-size:.92rem;opacity:1;color:inherit}
.st-key-said [data-testid="stCaptionContainer"],
.st-key-why [data-testid="stCaptionContainer"]{color:inherit}
[data-testid="stMain"]:focus,[data-testid="stMain"]:focus-visible{outline:none!important;
  box-shadow:none!important}
[class*="st-key-noted"] pre{max-height:6rem;overflow:auto}
[class*="st-key-edge-"]{padding:.35rem .7rem!important}
[class*="st-key-edge-"] [data-testid="stText"]{font-size:.8rem;opacity:.8}
[class*="st-key-edge-"] button{min-height:1.9rem;padding:.1rem .6rem}
[class*="st-key-place-"]{padding:.1rem .5rem!important;gap:.2rem!important}
[class*="st-key-place-"] button{min-height:1.9rem;padding:.1rem .6rem}
.st-key-stronger [data-testid="stAlertContainer"]{padding:.3rem .7rem}
.st-key-held-keys{display:none}
[data-testid="stFileUploaderDropzoneInstructions"],
.st-key-upload-in-ru [data-testid="stFileUploaderDropzone"] button p{display:none}
@media (max-width:1000px){.st-key-frame [data-testid="stCaptionContainer"]{display:none}}
@media (max-width:1000px){.st-key-bar{gap:.4rem!important}.st-key-bar button{padding:.25rem .5rem}}
[class*="st-key-clusters-"] [data-testid="stElementToolbar"]{display:none}
.st-key-lane [data-testid="stButtonGroup"],.st-key-method [data-testid="stButtonGroup"],
.st-key-lane [data-testid="stButtonGroup"]>div,
.st-key-method [data-testid="stButtonGroup"]>div{flex-wrap:wrap;row-gap:.25rem}
.st-key-verdict h2{font-size:1.2rem;padding:0 0 .3rem}
.st-key-verdict{gap:.4rem!important}
[class*="st-key-chain-"]:not(.st-key-chain-answer){margin-top:-.35rem}
[class*="st-key-chain-"] [data-testid="stText"]{font-size:.88rem}
.st-key-bar button p{font-weight:600}
@media (prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}
</style>"""
    )
