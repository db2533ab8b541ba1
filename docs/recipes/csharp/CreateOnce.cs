// Creates a product exactly once, whatever the network does. API_URL is https://…/merchants/mer_…
using System;
using System.Net.Http;
using System.Text;
using System.Threading.Tasks;

static class CreateOnce
{
    const int MaxAttempts = 5;
    static readonly HttpClient Client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };

    static async Task<string> Post(string url, string key, string body)
    {
        // The same key for all attempts: a repeated request returns the first response.
        var idempotencyKey = Guid.NewGuid().ToString();
        for (var attempt = 1; ; attempt++)
        {
            var wait = TimeSpan.FromSeconds(0.25 * Math.Pow(2, attempt));
            try
            {
                var request = new HttpRequestMessage(HttpMethod.Post, url);
                request.Headers.Add("Authorization", "Bearer " + key);
                request.Headers.Add("Idempotency-Key", idempotencyKey);
                request.Content = new StringContent(body, Encoding.UTF8, "application/json");
                var response = await Client.SendAsync(request);
                var answer = await response.Content.ReadAsStringAsync();
                var status = (int)response.StatusCode;
                if (status < 300) return answer;
                if ((status != 429 && status < 500) || attempt == MaxAttempts) throw new InvalidOperationException(answer);
                var after = response.Headers.RetryAfter?.Delta ?? TimeSpan.Zero;
                if (after > wait) wait = after;
            }
            catch (Exception error) when (error is HttpRequestException || error is TaskCanceledException)
            {
                // No response.
                if (attempt == MaxAttempts) throw;
            }
            await Task.Delay(wait);
        }
    }

    static void Main()
    {
        var url = Environment.GetEnvironmentVariable("API_URL") + "/products";
        var body = "{\"title\": \"Lemon tart\", \"price\": \"4.50\"}";
        Console.WriteLine(Post(url, Environment.GetEnvironmentVariable("API_KEY"), body).GetAwaiter().GetResult());
    }
}
