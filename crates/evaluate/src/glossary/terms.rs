//! The entries of the glossary.

use super::{Term, TermGroup};

/// All terms, group by group.
pub(super) static TERMS: &[Term] = &[
    Term {
        slug: "gold-label",
        name: "gold label",
        aliases: &["gold"],
        group: TermGroup::Data,
        meaning: "The label that counts as correct for an example: entailment if the premise makes the hypothesis true, contradiction if \
                  it makes it false, neutral otherwise. In SNLI and MultiNLI it is the label that at least three of five annotators \
                  gave, and examples without such a majority have none and are not scored.",
        source: "Williams et al. 2018, section 2.1",
    },
    Term {
        slug: "non-entailment",
        name: "non-entailment",
        aliases: &["not-entailment", "non-entailed"],
        group: TermGroup::Data,
        meaning: "The label of a pair that is neutral or contradictory where a corpus does not tell the two apart, as in HANS, RTE and \
                  QNLI. Predictions for such corpora are scored two ways: entailment or non-entailment.",
        source: "McCoy et al. 2019, sections 2 and 4",
    },
    Term {
        slug: "original",
        name: "original examples",
        aliases: &["original-accuracy"],
        group: TermGroup::Data,
        meaning: "The examples of the corpus as they are, before a challenge changes them. Drops are measured from the accuracy on those \
                  original examples that a challenge could be applied to, so both accuracies rest on the same examples.",
        source: "docs/challenges.md",
    },
    Term {
        slug: "perturbed",
        name: "perturbed examples",
        aliases: &["stressed", "parent"],
        group: TermGroup::Data,
        meaning: "Examples that a challenge made by changing one sentence of an original example, its parent, in a way that leaves the \
                  gold label as it was. A model that understands the pair gives parent and perturbed example the same label.",
        source: "Naik et al. 2018, section 3",
    },
    Term {
        slug: "easy-pairs",
        name: "easy pairs",
        aliases: &[],
        group: TermGroup::Data,
        meaning: "150 short pairs that ship with the program, without unusual words or constructions. A model that fails them cannot do \
                  the task at all, or its labels were read in the wrong order.",
        source: "docs/challenges.md",
    },
    Term {
        slug: "genre",
        name: "genre",
        aliases: &["matched", "mismatched"],
        group: TermGroup::Data,
        meaning: "The kind of text that a premise comes from, such as fiction or telephone conversation. MultiNLI has ten genres, five \
                  of which (the mismatched ones) do not occur in its training set.",
        source: "Williams et al. 2018, section 2.1",
    },
    Term {
        slug: "template",
        name: "template and subcase",
        aliases: &["templates", "subcase"],
        group: TermGroup::Data,
        meaning: "A template is a sentence pattern with slots for words, from which many pairs are generated; a subcase is the \
                  construction that one or more templates illustrate. HANS has 30 subcases, ten for each of its three heuristics.",
        source: "McCoy et al. 2019, section 3 and appendix A",
    },
    Term {
        slug: "truncated",
        name: "truncated inputs",
        aliases: &["truncation"],
        group: TermGroup::Data,
        meaning: "Inputs that are longer than what a model reads, so that it predicts from their beginning. A report counts them, \
                  because an error on such an example may be due to the part that was cut off.",
        source: "docs/process-models.md",
    },
    Term {
        slug: "excluded",
        name: "excluded examples",
        aliases: &["left-out"],
        group: TermGroup::Data,
        meaning: "Examples that are not scored, counted by reason: no gold label, or a challenge that does not apply to them. They are \
                  in no accuracy and no test of the report.",
        source: "docs/challenges.md",
    },
    Term {
        slug: "competence",
        name: "competence tests",
        aliases: &["competence-test"],
        group: TermGroup::Challenges,
        meaning: "Challenges that need a particular skill: knowing antonyms or reasoning about numbers. A drop means that the model \
                  lacks the skill.",
        source: "Naik et al. 2018, section 3.1",
    },
    Term {
        slug: "distraction",
        name: "distraction tests",
        aliases: &["distraction-test", "tautology"],
        group: TermGroup::Challenges,
        meaning: "Challenges that append a statement which is always true, such as \"and false is not true\", so that the gold label \
                  cannot change. A drop means that the model reacts to added words, negation or length rather than to meaning.",
        source: "Naik et al. 2018, section 3.2",
    },
    Term {
        slug: "noise",
        name: "noise tests",
        aliases: &["noise-test", "spelling"],
        group: TermGroup::Challenges,
        meaning: "Challenges that misspell one word, by swapping two adjacent letters or by hitting a neighbouring key. A drop means \
                  that the model depends on exact spelling.",
        source: "Naik et al. 2018, section 3.3",
    },
    Term {
        slug: "structure",
        name: "structure tests",
        aliases: &["structure-test"],
        group: TermGroup::Challenges,
        meaning: "Challenges such as HANS, in which all words of the hypothesis come from the premise and only syntax decides the label. \
                  Low accuracy on the non-entailed pairs means that the model ignores syntax.",
        source: "McCoy et al. 2019, section 3",
    },
    Term {
        slug: "composition",
        name: "composition tests",
        aliases: &["composition-test", "compositionality"],
        group: TermGroup::Challenges,
        meaning: "Challenges in which the words alone point to the wrong label, so that only the way they are combined gives the right \
                  one. A drop means that the model treats sentences as bags of words.",
        source: "Nie et al. 2018, sections 3 and 5",
    },
    Term {
        slug: "hans",
        name: "HANS",
        aliases: &["heuristic-analysis-for-nli-systems"],
        group: TermGroup::Challenges,
        meaning: "Heuristic Analysis for NLI Systems: 30,000 pairs generated from templates, half of which contradict a syntactic \
                  heuristic that works well on ordinary corpora. A model that has adopted the heuristics labels nearly all of them \
                  entailment: it gets the entailed pairs right and the non-entailed pairs wrong.",
        source: "McCoy et al. 2019, sections 2 to 5",
    },
    Term {
        slug: "lms",
        name: "lexically-misleading score (LMS)",
        aliases: &["lexically-misleading-score"],
        group: TermGroup::Challenges,
        meaning: "The largest probability that a lexical model, a softmax regression over words and word pairs, gives to a wrong label \
                  of an example. A high score means that the words alone point away from the gold label.",
        source: "Nie et al. 2018, section 5.3",
    },
    Term {
        slug: "cs-lambda",
        name: "CS_lambda",
        aliases: &["cs", "compositionality-sensitivity"],
        group: TermGroup::Challenges,
        meaning: "The examples of a corpus whose lexically-misleading score is at least lambda, for instance CS_0.7. A model that does \
                  much worse on them than on the whole corpus relies on words more than on how they are combined.",
        source: "Nie et al. 2018, section 5.4",
    },
    Term {
        slug: "accuracy",
        name: "accuracy",
        aliases: &[],
        group: TermGroup::Scores,
        meaning: "The share of labelled examples for which the predicted label is the gold label. A missing prediction is an error that \
                  stops the evaluation unless you choose to count it as wrong.",
        source: "Williams et al. 2018, section 3",
    },
    Term {
        slug: "drop",
        name: "drop",
        aliases: &["accuracy-drop"],
        group: TermGroup::Scores,
        meaning: "Accuracy on the original examples minus accuracy on the examples that a challenge made from them, in percentage \
                  points. It is paired: each perturbed example is compared with its own parent.",
        source: "Naik et al. 2018, table 3",
    },
    Term {
        slug: "prediction-change",
        name: "prediction change",
        aliases: &["flip", "flips", "prediction-changes"],
        group: TermGroup::Scores,
        meaning: "An example whose predicted label differs between the original and the perturbed version. Changes are split into \
                  correct to wrong, wrong to correct and wrong to another wrong label; only the first two affect accuracy.",
        source: "docs/reports.md",
    },
    Term {
        slug: "majority-class",
        name: "majority class",
        aliases: &["majority", "majority-baseline", "most-frequent-class"],
        group: TermGroup::Scores,
        meaning: "The accuracy of always predicting the most frequent gold label of the set. A model that is not significantly better \
                  than this has learned nothing that the set measures, so no drop is interpreted for it.",
        source: "Williams et al. 2018, table 4",
    },
    Term {
        slug: "two-way-scoring",
        name: "two-way scoring",
        aliases: &["two-way"],
        group: TermGroup::Scores,
        meaning: "Scoring with two classes, entailment and non-entailment, for corpora whose gold labels make no other distinction. \
                  Predictions with three labels are reduced to two, either by merging predicted labels or by summing scores.",
        source: "McCoy et al. 2019, section 4",
    },
    Term {
        slug: "merged-predictions",
        name: "merged predictions",
        aliases: &["merged-answers"],
        group: TermGroup::Scores,
        meaning: "Two-way scoring in which neutral and contradiction are both read as non-entailment after the model has chosen among \
                  three labels. This is the default, and what the published HANS results use.",
        source: "McCoy et al. 2019, section 4",
    },
    Term {
        slug: "summed-scores",
        name: "summed scores",
        aliases: &[],
        group: TermGroup::Scores,
        meaning: "Two-way scoring in which the probabilities of neutral and contradiction are added before entailment and non-entailment \
                  are compared. A model whose most probable label is entailment can then still predict non-entailment.",
        source: "McCoy et al. 2019, section 4",
    },
    Term {
        slug: "confusion-matrix",
        name: "confusion matrix",
        aliases: &["confusion"],
        group: TermGroup::Scores,
        meaning: "A table that counts examples by gold label (rows) and predicted label (columns). Correct predictions are on the \
                  diagonal.",
        source: "Manning, Raghavan and Schütze 2008, section 14.5",
    },
    Term {
        slug: "precision",
        name: "precision",
        aliases: &[],
        group: TermGroup::Scores,
        meaning: "Of the examples for which a model predicts a label, the share that have this gold label. A model that predicts \
                  entailment too often has low precision for entailment.",
        source: "Manning, Raghavan and Schütze 2008, section 8.3",
    },
    Term {
        slug: "recall",
        name: "recall",
        aliases: &[],
        group: TermGroup::Scores,
        meaning: "Of the examples with a gold label, the share for which the model predicts it. Recall is the accuracy on the examples \
                  of one gold label.",
        source: "Manning, Raghavan and Schütze 2008, section 8.3",
    },
    Term {
        slug: "f1",
        name: "F1",
        aliases: &["f1-score", "f-score", "macro-f1"],
        group: TermGroup::Scores,
        meaning: "The harmonic mean of precision and recall of one label, 2PR / (P + R). It has no interval in reports.",
        source: "Manning, Raghavan and Schütze 2008, section 8.3",
    },
    Term {
        slug: "cluster",
        name: "cluster",
        aliases: &["clusters", "clustered"],
        group: TermGroup::Intervals,
        meaning: "A group of examples that are not independent, such as the three pairs written for one premise. Intervals and tests \
                  treat clusters, not examples, as the sampled units; with examples as units they would be too optimistic.",
        source: "Miller 2024 (arXiv 2411.00640); docs/statistics.md",
    },
    Term {
        slug: "confidence-interval",
        name: "95 % interval",
        aliases: &["interval", "confidence-interval-95"],
        group: TermGroup::Intervals,
        meaning: "A range computed so that in 95 % of repeated samples it contains the true value. Intervals in reports are not adjusted \
                  for the number of comparisons; significance marks are.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "clustered-wilson",
        name: "clustered Wilson interval",
        aliases: &["wilson", "wilson-interval"],
        group: TermGroup::Intervals,
        meaning: "The 95 % interval of an accuracy or another share: Wilson's score interval, widened by how much examples of one \
                  cluster resemble each other. With one example per cluster it is Wilson's interval itself.",
        source: "Wilson 1927; clustering: docs/statistics.md",
    },
    Term {
        slug: "clustered-tango",
        name: "clustered Tango interval",
        aliases: &["tango", "tango-interval"],
        group: TermGroup::Intervals,
        meaning: "The 95 % interval of the difference of two accuracies on the same examples: Tango's score interval for paired \
                  proportions, widened for clusters. It excludes 0 exactly where the unadjusted p value is below 0.05.",
        source: "Tango 1998; clustering: Durkalski et al. 2003 and docs/statistics.md",
    },
    Term {
        slug: "mover-r",
        name: "valid labels correction (MOVER-R)",
        aliases: &["valid-labels", "valid-labels-correction", "mover"],
        group: TermGroup::Intervals,
        meaning: "Accuracy on correctly labelled examples, estimated from the accuracy on all examples and a judged sample of labels. \
                  The interval, MOVER-R, accounts for both samples and is given for a model that never agrees with a wrong label and for \
                  one that always does.",
        source: "Donner and Zou 2012; docs/statistics.md",
    },
    Term {
        slug: "corrected-accuracy",
        name: "corrected accuracy",
        aliases: &["corrected", "difference-estimator"],
        group: TermGroup::Intervals,
        meaning: "Accuracy against the true labels, where judges gave those of a random sample: accuracy against the labels of the set, plus \
                  what the judged examples say it is off by. The interval accounts for both samples.",
        source: "Zou and Donner 2008 (interval); docs/statistics.md",
    },
    Term {
        slug: "rough-interval",
        name: "rough interval (~)",
        aliases: &["rough", "tilde"],
        group: TermGroup::Intervals,
        meaning: "A share near 0 or 100 % that fewer than five clusters keep from reaching it is marked `~`. Its interval may be too \
                  narrow, because a rare kind of error may not have been sampled yet.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "not-estimable",
        name: "not estimable",
        aliases: &["from-n-clusters"],
        group: TermGroup::Intervals,
        meaning: "With a single cluster nothing can be said about others, so no interval or p value is given. Intervals that rest on \
                  fewer than about four clusters of equal size are marked `from N clusters`.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "minimum-detectable-difference",
        name: "minimum detectable difference (80 % power)",
        aliases: &["mdd", "mde", "power", "minimum-detectable-effect"],
        group: TermGroup::Intervals,
        meaning: "The smallest true difference that the test would find significant in 80 % of samples of this size. A result that is \
                  not significant says little about differences smaller than this.",
        source: "Connor 1987 (paired proportions); docs/statistics.md",
    },
    Term {
        slug: "p-value",
        name: "p value",
        aliases: &["p", "p-values"],
        group: TermGroup::Tests,
        meaning: "The probability of a difference at least as large as the observed one if in truth there were none. Small values speak \
                  against \"no difference\"; large ones do not speak for it.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "significance-marks",
        name: "significance marks (*, **, ***)",
        aliases: &["stars", "significant", "significance", "asterisk"],
        group: TermGroup::Tests,
        meaning: "One, two or three asterisks mark an adjusted p value below 0.05, 0.01 or 0.001. The adjustment covers all tests of the \
                  table; the intervals beside them are not adjusted.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "sign-flip",
        name: "exact cluster sign-flip test",
        aliases: &["sign-flip-test", "exact-cluster-sign-flip", "permutation-test"],
        group: TermGroup::Tests,
        meaning: "Tests whether two models differ on the same examples: if they did not, their predictions could be swapped in any \
                  cluster, and the p value is the exact share of all such swaps that lead to a difference at least as large. With one \
                  example per cluster it is the exact McNemar test.",
        source: "Durkalski et al. 2003 (its normal approximation); docs/statistics.md",
    },
    Term {
        slug: "mcnemar",
        name: "McNemar test",
        aliases: &["mcnemars-test", "exact-mcnemar"],
        group: TermGroup::Tests,
        meaning: "Tests whether two models differ on the same examples, using only those that exactly one of them gets right. The exact \
                  form is a binomial test of whether these fall to either side with equal probability.",
        source: "McNemar 1947",
    },
    Term {
        slug: "holm",
        name: "Holm correction",
        aliases: &["holm-bonferroni", "adjusted-p", "adjusted"],
        group: TermGroup::Tests,
        meaning: "Adjusts the p values of several tests so that the probability of any false positive among them stays below the level. \
                  It is uniformly more powerful than the Bonferroni correction and makes no assumption about dependence.",
        source: "Holm 1979",
    },
    Term {
        slug: "tarone",
        name: "Tarone correction",
        aliases: &["tarones-method"],
        group: TermGroup::Tests,
        meaning: "Leaves out of the Holm correction those tests whose data could never reach significance, such as differences in fewer \
                  than six clusters. They are reported as unable to be significant and cost the other tests nothing.",
        source: "Tarone 1990",
    },
    Term {
        slug: "benjamini-hochberg",
        name: "Benjamini-Hochberg correction",
        aliases: &["bh", "fdr", "false-discovery-rate"],
        group: TermGroup::Tests,
        meaning: "Adjusts the p values of several tests so that the expected share of false positives among the significant ones stays \
                  below the level. It is used for exploratory tables, and the table says so.",
        source: "Benjamini and Hochberg 1995",
    },
    Term {
        slug: "tied-with-the-best",
        name: "tied with the best",
        aliases: &["tied", "leaderboard", "tie"],
        group: TermGroup::Tests,
        meaning: "A model that is not significantly different from the most accurate one, after a Holm correction over all models. Tied \
                  means that these examples do not separate the two, not that they are equally good.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "welch",
        name: "Welch's t test",
        aliases: &["welch-test", "t-test", "new-seeds"],
        group: TermGroup::Tests,
        meaning: "Tests whether two ways of training differ in mean accuracy over their seeds, without assuming equal variances. A claim \
                  about the method needs both this test and the one on new examples, and at least three seeds each.",
        source: "Welch 1947; docs/statistics.md",
    },
    Term {
        slug: "lexical-overlap-heuristic",
        name: "lexical overlap heuristic",
        aliases: &["lexical-overlap"],
        group: TermGroup::Shortcuts,
        meaning: "The assumption that a premise entails every hypothesis made only of its words. \"The doctors visited the lawyer\" does \
                  not entail \"The lawyer visited the doctors\".",
        source: "McCoy et al. 2019, section 2",
    },
    Term {
        slug: "subsequence-heuristic",
        name: "subsequence heuristic",
        aliases: &["subsequence"],
        group: TermGroup::Shortcuts,
        meaning: "The assumption that a premise entails every contiguous run of its words. \"The judges heard the actors resigned\" does \
                  not entail \"The judges heard the actors\".",
        source: "McCoy et al. 2019, section 2",
    },
    Term {
        slug: "constituent-heuristic",
        name: "constituent heuristic",
        aliases: &["constituent"],
        group: TermGroup::Shortcuts,
        meaning: "The assumption that a premise entails every complete constituent of its parse tree. \"If the actor slept, the judge saw \
                  the artist\" does not entail \"The actor slept\".",
        source: "McCoy et al. 2019, section 2",
    },
    Term {
        slug: "negation-heuristic",
        name: "negation heuristic",
        aliases: &["negation-word", "negation"],
        group: TermGroup::Shortcuts,
        meaning: "The assumption that a hypothesis with a word such as \"not\" or \"never\" contradicts its premise. It often holds in \
                  corpora whose annotators wrote contradictions by negating.",
        source: "Naik et al. 2018, section 2; Gururangan et al. 2018, section 3",
    },
    Term {
        slug: "hypothesis-only",
        name: "hypothesis-only baseline",
        aliases: &["hypothesis-only-baseline"],
        group: TermGroup::Shortcuts,
        meaning: "A classifier that sees only the hypothesis and never the premise. Whatever it predicts better than the majority class \
                  comes from artefacts of how the hypotheses were written.",
        source: "Gururangan et al. 2018, section 2; Poliak et al. 2018",
    },
    Term {
        slug: "excess",
        name: "excess",
        aliases: &[],
        group: TermGroup::Shortcuts,
        meaning: "How much more often a model gives a shortcut's wrong label where the shortcut applies than where it does not. A model \
                  that guesses at random has an excess of 0, and so has one that is always right.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "relies-on",
        name: "relies on",
        aliases: &["reliance", "shortcut"],
        group: TermGroup::Shortcuts,
        meaning: "Said of a model and a shortcut where the 95 % interval of the excess lies above 10 points, or, on sets such as HANS \
                  that contradict the shortcut, where the interval of the accuracy lies below 45 %. It rests on at least 30 examples on \
                  either side.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "does-not-rely-on",
        name: "does not rely on",
        aliases: &[],
        group: TermGroup::Shortcuts,
        meaning: "Said of a model and a shortcut where the 95 % interval of the excess lies below 10 points, or, on sets that contradict \
                  the shortcut, where the interval of the accuracy lies above 45 %. The model may still follow the shortcut now and \
                  then, but not more often than that.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "cannot-tell",
        name: "cannot tell",
        aliases: &[],
        group: TermGroup::Shortcuts,
        meaning: "Said of a model and a shortcut where the interval includes the threshold, there are fewer than 30 examples, or all \
                  examples are in one cluster. It means that these examples do not decide the question, not that there is no shortcut.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "same-templates",
        name: "same templates",
        aliases: &["within-templates"],
        group: TermGroup::Shortcuts,
        meaning: "Results on generated pairs hold for new sentences of the same templates, because each pair is its own cluster. They do \
                  not say how a model would do on other templates of the construction.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "new-templates",
        name: "new templates",
        aliases: &["across-templates"],
        group: TermGroup::Shortcuts,
        meaning: "Results on generated pairs with templates as clusters, which say how a model would do on other templates. Only these \
                  support a claim about a construction in general, and with few templates their intervals are wide.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "label-indicative-words",
        name: "label-indicative words (PMI)",
        aliases: &["pmi", "pointwise-mutual-information", "telling-words", "cues"],
        group: TermGroup::Corpora,
        meaning: "Words of the hypothesis that occur much more often with one label than with the others, ranked by smoothed pointwise \
                  mutual information. They show what a hypothesis-only classifier can exploit.",
        source: "Gururangan et al. 2018, section 3",
    },
    Term {
        slug: "word-overlap",
        name: "word overlap (Jaccard)",
        aliases: &["jaccard", "overlap"],
        group: TermGroup::Corpora,
        meaning: "The number of words that premise and hypothesis share, divided by the number of words that occur in either. MultiNLI \
                  calls an overlap above 37 % high; the challenge of the same name appends \"and true is true\" to the hypothesis instead.",
        source: "Williams et al. 2018, section 2.2",
    },
    Term {
        slug: "individual-gold",
        name: "individual label = gold label",
        aliases: &["individual", "human-agreement", "consensus"],
        group: TermGroup::Corpora,
        meaning: "How often the label of a single annotator is the gold label that the five annotators agreed on, the usual estimate of \
                  human accuracy. It is somewhat optimistic, because each annotator's own vote counts towards the gold label.",
        source: "Williams et al. 2018, table 2",
    },
    Term {
        slug: "individual-author",
        name: "individual label = author's label",
        aliases: &["gold-author"],
        group: TermGroup::Corpora,
        meaning: "How often the label of a single annotator is the one that the author of the hypothesis intended. A low share points to \
                  hypotheses that do not express what their authors meant.",
        source: "Williams et al. 2018, table 2",
    },
    Term {
        slug: "unanimous",
        name: "unanimous gold label",
        aliases: &[],
        group: TermGroup::Corpora,
        meaning: "The share of validated examples to which all annotators gave the same label. The others are where people disagree, and \
                  where a model's error may be a matter of opinion.",
        source: "Williams et al. 2018, table 2",
    },
    Term {
        slug: "fleiss-kappa",
        name: "Fleiss' kappa",
        aliases: &["fleiss"],
        group: TermGroup::Corpora,
        meaning: "Agreement of several annotators beyond what chance would give: 1 is perfect, 0 is chance. It is computed over examples \
                  with five labels each.",
        source: "Fleiss 1971",
    },
    Term {
        slug: "krippendorff-alpha",
        name: "Krippendorff's alpha",
        aliases: &["alpha", "krippendorff"],
        group: TermGroup::Corpora,
        meaning: "Agreement of two or more judges beyond what chance would give, also where answers are missing: 1 is perfect, 0 is chance. \
                  Where nearly all answers are the same it can be near 0 although judges nearly always agree.",
        source: "Krippendorff 2011",
    },
    Term {
        slug: "validity",
        name: "validity of a set",
        aliases: &["valid", "review"],
        group: TermGroup::Corpora,
        meaning: "The share of a sample of examples whose label a majority of judges confirms without having seen it. Beside it stand the shares \
                  that are grammatical and trivial for people.",
        source: "Naik et al. 2018, section 3",
    },
    Term {
        slug: "cohen-kappa",
        name: "Cohen's kappa",
        aliases: &["cohen", "kappa", "cohens-kappa"],
        group: TermGroup::Corpora,
        meaning: "Agreement of two raters, such as a model and a heuristic, beyond what chance would give: 1 is perfect, 0 is chance. A \
                  model can agree with a heuristic simply because both are often right, so the findings rest on cases where the \
                  heuristic is wrong.",
        source: "Cohen 1960",
    },
    Term {
        slug: "leakage",
        name: "duplicates and leakage",
        aliases: &["duplicates", "duplicate"],
        group: TermGroup::Corpora,
        meaning: "Pairs that occur more than once in a corpus, and premises or pairs of one file that also occur in another. A model \
                  trained on one file has an unfair advantage on what leaks into the test file.",
        source: "docs/formats.md",
    },
    Term {
        slug: "gate",
        name: "gate outcomes",
        aliases: &["passed", "failed", "inconclusive"],
        group: TermGroup::Checks,
        meaning: "A check of `acidtest gate` passes, fails, or is inconclusive where the examples decide neither. The exit code is 0 if \
                  all checks pass, 3 if any fails and 4 if none fails but one is inconclusive.",
        source: "docs/gate.md",
    },
    Term {
        slug: "baseline",
        name: "baseline",
        aliases: &["regression", "max-regression"],
        group: TermGroup::Checks,
        meaning: "The predictions of an earlier run, saved by `acidtest gate --write-baseline`, that a new model is compared with \
                  example by example. A baseline for other examples, texts or gold labels is refused.",
        source: "docs/gate.md",
    },
    Term {
        slug: "margin",
        name: "margin",
        aliases: &["non-inferiority", "max-drop"],
        group: TermGroup::Checks,
        meaning: "The drop that a gate tolerates, in percentage points. A check with a margin passes only if a larger drop is ruled out \
                  at one-sided 95 % confidence; without a margin it fails if the drop is significant.",
        source: "docs/gate.md",
    },
    Term {
        slug: "label-order",
        name: "label order",
        aliases: &["doctor", "label-order-doctor", "labels"],
        group: TermGroup::Checks,
        meaning: "Which class each numbered output of a model stands for. The doctor tries all six orders of three labels and reports \
                  another one only if it is significantly better than every other and agrees with gold beyond chance.",
        source: "docs/label-order.md",
    },
];
